/** Where the one-file program starts: what bin/mar.js is to the program that npm installs. */
import { fstatSync } from 'node:fs';
import stop from '../../bin/stop.js';
import { writeAll } from '../files/regularFile.ts';
import { version } from '../version.ts';
import { childName } from './child.ts';

const args = process.argv.slice(2);
const asksVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');

if (process.argv0 === childName) {
  void import('../credentials/keychain/child.ts');
} else if (args[0] === 'complete-words') {
  void completeWords();
} else if (!asksVersion || !toldVersion()) {
  void run();
}

/** Asked for often, by installers and editors: not worth loading the program, or a stream, for. */
function toldVersion(): boolean {
  try {
    writeAll(1, `${version}\n`);
    return true;
  } catch {
    // The program knows how to tell what is wrong with standard output.
    return false;
  }
}

async function completeWords(): Promise<void> {
  const { complete } = await import('../completion/complete.ts');
  offer(await complete(args.slice(1), process));
}

/** A failure shows in the exit code alone: a message would land in the prompt. */
function offer(text: string): void {
  try {
    if (fstatSync(1).isFile()) writeAll(1, text);
    // The shell may have stopped listening.
    else process.stdout.on('error', () => {}).write(text);
  } catch {
    process.exitCode = 1;
  }
}

async function run(): Promise<void> {
  const { main } = await import('../main.ts');
  // Until it has said otherwise: a program that just stops has not done what it was asked for.
  process.exitCode = 1;
  process.exitCode = await main(args, process);
  // Interrupted, or terminated: whatever is still under way is not waited for.
  if (process.exitCode > 128) stop(process.exitCode);
}
