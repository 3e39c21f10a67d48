import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  // An import of `node:fs/promises` would load it for every command.
  promises,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../errors.ts';

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
  const handle = await promises.open(temporary, 'wx', mode);
  try {
    try {
      if (typeof content === 'function') await content(handle);
      else await handle.writeFile(content);
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

/** The same for small files in places where waiting is not possible. */
export function replaceFileSync(
  file: string,
  content: string | Uint8Array,
  options?: ReplaceOptions,
): void {
  writeBeside(file, content, (temporary) => renameSync(temporary, file), options);
}

/** Writes a new file, whole from the start. Leaves one that is already there, and returns false. */
export function createFileSync(
  file: string,
  content: string | Uint8Array,
  options?: ReplaceOptions,
): boolean {
  try {
    writeBeside(file, content, (temporary) => linkSync(temporary, file), options);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function writeBeside(
  file: string,
  content: string | Uint8Array,
  publish: (temporary: string) => void,
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
    publish(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * In the same folder, since a rename does not cross file systems. The global `crypto` is loaded when
 * it is used; an import of `node:crypto` would take every command 3 ms.
 */
export const temporaryNameFor = (file: string) =>
  path.join(path.dirname(file), `.mar-${crypto.randomUUID()}.tmp`);
