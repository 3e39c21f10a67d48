/** Where the one-file program starts: what bin/mar.js is to the program that npm installs. */
import { writeSync } from 'node:fs';
import stop from '../../bin/stop.js';
import { version } from '../version.ts';
import { childName } from './child.ts';

const args = process.argv.slice(2);

if (process.argv0 === childName) {
  void import('../credentials/keychain/child.ts');
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  printVersion();
} else {
  void run();
}

async function run(): Promise<void> {
  const { main } = await import('../main.ts');
  // Until it has said otherwise: a program that just stops has not done what it was asked for.
  process.exitCode = 1;
  process.exitCode = await main(args, process);
  // Interrupted, or terminated: whatever is still under way is not waited for.
  if (process.exitCode > 128) stop(process.exitCode);
}

/** Asked for often, by installers and editors: not worth loading the program, or a stream, for. */
function printVersion(): void {
  const line = `${version}\n`;
  try {
    writeSync(1, line);
  } catch {
    // A pipe that is full or closed: a stream knows what to do.
    process.stdout.write(line);
  }
}
