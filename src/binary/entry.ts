/** The entry point of the one-file program; the npm package starts at bin/mar.js. */
import { fstatSync } from 'node:fs';
import stop from '../../bin/stop.js';
import { writeAll } from '../core/files/regularFile.ts';
import { childName } from './keychainPackaging.ts';

const args = process.argv.slice(2);

if (process.argv0 === childName) {
  void import('../core/credentials/keychain/keychainChild.ts');
} else if (args[0] === 'complete-words') {
  void completeWords();
} else {
  void run();
}

/** Reports a failed write only by its exit code: a message would appear in the prompt. */
async function completeWords(): Promise<void> {
  const { complete } = await import('../completion/complete.ts');
  const text = await complete(args.slice(1), process);
  try {
    if (fstatSync(1).isFile()) writeAll(1, text);
    else process.stdout.on('error', () => {}).write(text);
  } catch {
    process.exitCode = 1;
  }
}

async function run(): Promise<void> {
  const { main } = await import('../main.ts');
  // A program that stops without an exit code has failed.
  process.exitCode = 1;
  process.exitCode = await main(args, process);
  // After a signal, do not wait for what is still in progress.
  if (process.exitCode > 128) stop(process.exitCode);
}
