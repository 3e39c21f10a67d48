#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Asked for often, by installers and editors: not worth loading the program for.
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (args[0] === 'complete-words') {
  // Somebody waits with a finger on Tab: these are the commands' names and flags alone.
  const { complete } = require('../dist/complete.cjs');
  // A shell that no longer listens is not told about it.
  process.stdout.on('error', () => {});
  void complete(args.slice(1), process).then((text) => process.stdout.write(text));
} else {
  // Where Node can keep compiled code between runs, it starts faster from the second run on.
  require('node:module').enableCompileCache?.();
  void import('../dist/main.js').then(async ({ main }) => {
    process.exitCode = await main(args, process);
    // Interrupted, or terminated: whatever is still under way is not waited for.
    if (process.exitCode > 128) process.exit();
  });
}
