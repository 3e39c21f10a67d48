#!/usr/bin/env node
import module from 'node:module';

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Asked for often, by installers and editors: not worth loading the program for.
  const { version } = module.createRequire(import.meta.url)('../package.json');
  process.stdout.write(`${version}\n`);
} else {
  // Where Node can keep compiled code between runs, it starts faster from the second run on.
  module.enableCompileCache?.();
  const { main } = await import('../dist/main.js');
  process.exitCode = await main(args, process);
}
