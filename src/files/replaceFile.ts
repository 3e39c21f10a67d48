import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface ReplaceOptions {
  /** Permissions of the new file; its owner alone, unless given. */
  mode?: number;
  /** Wait until the content is on the disk before the file takes its name. */
  sync?: boolean;
}

/**
 * Writes a file so that a reader sees the old content or the new one, never a part. The content goes
 * to a new file beside it, whose name nobody can plant a link under, and that file takes the name.
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array | ((handle: FileHandle) => Promise<void>),
  { mode = 0o600, sync = false }: ReplaceOptions = {},
): Promise<void> {
  const temporary = temporaryNameFor(file);
  const handle = await open(temporary, 'wx', mode);
  try {
    try {
      if (typeof content === 'function') await content(handle);
      else await handle.writeFile(content);
      if (sync) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same for small files in places where waiting is not possible. */
export function replaceFileSync(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, sync = false }: ReplaceOptions = {},
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
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** In the same folder, since a rename does not cross file systems. */
export const temporaryNameFor = (file: string) =>
  path.join(path.dirname(file), `.mar-${randomUUID()}.tmp`);
