import { chmod, realpath } from 'node:fs/promises';
import path from 'node:path';
import { MarError } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { withLock } from './lock.ts';

/**
 * Writes a file that only its owner may read. `make` says what to write; while it runs nobody else
 * writes, and whoever reads the file sees the old content or the new, whole.
 */
export async function updatePrivateFile(filePath: string, make: () => string): Promise<void> {
  await makePrivateFolder(path.dirname(filePath));
  // A link, as people make who keep their settings in one place, stays a link.
  const target = await realpath(filePath).catch(() => filePath);
  await withLock(`${filePath}.lock`, () => replace(target, make()));
}

async function makePrivateFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    throw new MarError('usage', `cannot use the folder ${folder}: ${(error as Error).message}`, {
      hint: 'set MAR_CONFIG_DIR to a folder of your own',
      cause: error,
    });
  }
}

async function replace(filePath: string, text: string): Promise<void> {
  try {
    await replaceFile(filePath, text, { sync: true });
  } catch (error) {
    throw new MarError('usage', `cannot write ${filePath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
