import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  // Importing `node:fs/promises` would load it for every command.
  promises,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';

export type FileContent = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** Replaces a file atomically: a reader sees the old content or the new one, never a part. */
export async function replaceFile(
  file: string,
  content: FileContent,
  { mode = 0o600, ignoresUmask = false, sync = false } = {},
): Promise<void> {
  const temporary = temporaryNameFor(file);
  const handle = await promises.open(temporary, 'wx', mode);
  try {
    try {
      if (ignoresUmask) await handle.chmod(mode);
      await promises.writeFile(handle, content);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await promises.rename(temporary, file);
  } catch (error) {
    await promises.rm(temporary, { force: true });
    throw error;
  }
}

/** `replaceFile` for small files where the caller cannot wait. */
export const replaceFileSync = (
  file: string,
  content: string | Uint8Array,
  options?: { mode?: number; sync?: boolean },
): void => writeBeside(file, content, renameSync, options);

/** Returns false, and changes nothing, if the file exists. */
export function createFileSync(file: string, content: string): boolean {
  try {
    writeBeside(file, content, linkSync);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function writeBeside(
  file: string,
  content: string | Uint8Array,
  publish: (temporary: string, file: string) => void,
  { mode = 0o600, sync = false } = {},
): void {
  const temporary = temporaryNameFor(file);
  const descriptor = openSync(temporary, 'wx', mode);
  try {
    try {
      writeFileSync(descriptor, content);
      if (sync) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    publish(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * In the same folder, because a rename cannot cross file systems. The global `crypto` is loaded on
 * first use; importing `node:crypto` would cost every command 3 ms.
 */
export const temporaryNameFor = (file: string) =>
  path.join(path.dirname(file), `.mar-${crypto.randomUUID()}.tmp`);
