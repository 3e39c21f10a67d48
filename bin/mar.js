#!/usr/bin/env node
const args = process.argv.slice(2);
const asksVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');

if (!asksVersion || !toldVersion()) run();

/** Asked for often, by installers and editors: not worth loading the program, or streams, for. */
function toldVersion() {
  try {
    writeAll(`${require('../package.json').version}\n`);
    return true;
  } catch {
    // The program knows how to tell what is wrong with standard output.
    return false;
  }
}

/**
 * Writes to standard output. Of a nearly full disk, one write alone takes the part that fits, and
 * does not fail.
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
    // Somebody waits with a finger on Tab: these are the commands' names and flags alone.
    /** @type {{ complete: typeof import('../src/completion/complete.ts').complete }} */
    const { complete } = load('../dist/complete.js', args[0]);
    void complete(args.slice(1), process).then((text) => {
      offer(text);
      keep();
    });
    return;
  }
  /** @type {{ main: typeof import('../src/main.ts').main }} */
  const { main } = load('../dist/main.js', args[0]);
  // Until it has said otherwise: a program that just stops has not done what it was asked for.
  process.exitCode = 1;
  void main(args, process).then((code) => {
    process.exitCode = code;
    keep();
    // Interrupted, or terminated: whatever is still under way is not waited for.
    if (code > 128) require('./stop.js')(code);
  });
}

/**
 * Writes what Tab offers. A failure shows in the exit code alone: a message would land in the prompt.
 * @param {string} text
 */
function offer(text) {
  try {
    if (require('node:fs').fstatSync(1).isFile()) writeAll(text);
    // The shell may have stopped listening.
    else process.stdout.on('error', () => {}).write(text);
  } catch {
    process.exitCode = 1;
  }
}
