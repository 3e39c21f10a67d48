#!/usr/bin/env node
const args = process.argv.slice(2);
const isVersionOnly = args.length === 1 && (args[0] === '--version' || args[0] === '-V');

if (!isVersionOnly || !printedVersion()) run();

/** Installers and editors ask for the version often, so this loads neither the program nor a stream. */
function printedVersion() {
  try {
    writeAll(`${require('../package.json').version}\n`);
    return true;
  } catch {
    // The program reports what is wrong with standard output.
    return false;
  }
}

/**
 * Writes to standard output. A single write to a nearly full disk writes only the part that fits,
 * without an error.
 * @param {string} text
 */
function writeAll(text) {
  const fs = require('node:fs');
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

function run() {
  const { load, keep } = require('./compiled.js');
  if (args[0] === 'complete-words') {
    // Tab must respond fast, so it loads only the names and flags of the commands.
    /** @type {{ complete: typeof import('../src/completion/complete.ts').complete }} */
    const { complete } = load('../dist/complete.js', args[0]);
    void complete(args.slice(1), process).then((text) => {
      printCandidates(text);
      keep();
    });
    return;
  }
  /** @type {{ main: typeof import('../src/main.ts').main }} */
  const { main } = load('../dist/main.js', args[0]);
  // A program that stops without an exit code has failed.
  process.exitCode = 1;
  void main(args, process).then((code) => {
    process.exitCode = code;
    keep();
    // After a signal, do not wait for what is still in progress.
    if (code > 128) require('./stop.js')(code);
  });
}

/**
 * Reports a failure only by its exit code: a message would appear in the prompt.
 * @param {string} text
 */
function printCandidates(text) {
  try {
    if (require('node:fs').fstatSync(1).isFile()) writeAll(text);
    // The shell may have stopped listening.
    else process.stdout.on('error', () => {}).write(text);
  } catch {
    process.exitCode = 1;
  }
}
