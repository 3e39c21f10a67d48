#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Asked for often, by installers and editors: not worth loading the program for.
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  const { load, keep } = require('./compiled.js');
  if (args[0] === 'complete-words') {
    // Somebody waits with a finger on Tab: these are the commands' names and flags alone.
    /** @type {{ complete: typeof import('../src/completion/complete.ts').complete }} */
    const { complete } = load('../dist/complete.js', args[0]);
    // A shell that no longer listens is not told about it.
    process.stdout.on('error', () => {});
    void complete(args.slice(1), process).then((text) => {
      process.stdout.write(text);
      keep();
    });
  } else {
    /** @type {{ main: typeof import('../src/main.ts').main }} */
    const { main } = load('../dist/main.js', args[0]);
    void main(args, process).then((code) => {
      process.exitCode = code;
      keep();
      // Interrupted, or terminated: whatever is still under way is not waited for.
      if (code > 128) process.exit();
    });
  }
}
