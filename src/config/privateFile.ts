import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { MarError } from '../errors.ts';
import { withLock } from './lock.ts';

/**
 * Writes a file that only its owner may read. `make` says what to write; while it runs nobody else
 * writes, and whoever reads the file sees the old content or the new, whole.
 */
export async function updatePrivateFile(filePath: string, make: () => string): Promise<void> {
  await makeFolder(path.dirname(filePath));
  // A link, as people make who keep their settings in one place, stays a link.
  const target = await realpath(filePath).catch(() => filePath);
  await withLock(`${filePath}.lock`, () => replace(target, make()));
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  } catch (error) {
    throw new MarError('usage', `cannot use the folder ${folder}: ${(error as Error).message}`, {
      hint: 'set MAR_CONFIG_DIR to a folder of your own',
      cause: error,
    });
  }
}

async function replace(filePath: string, text: string): Promise<void> {
  const temporary = `${filePath}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, filePath);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new MarError('usage', `cannot write ${filePath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
