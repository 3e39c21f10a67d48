#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Asked for often, by installers and editors: not worth loading the program for.
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  const { load, keep } = require('./compiled.js');
  const { main } = load('../dist/main.js', args[0]);
  void main(args, process).then((code) => {
    process.exitCode = code;
    keep();
    // Interrupted, or terminated: whatever is still under way is not waited for.
    if (code > 128) process.exit();
  });
}
