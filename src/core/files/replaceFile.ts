// Importing `node:fs/promises` would load it for every command.
import { promises } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';

const maxRenames = 20;
const renamePauseMs = 50;

export type FileContent = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

/** Replaces a file atomically: a reader sees the old content or the new one, never a part. */
export const replaceFile = async (file: string, content: FileContent, { sync = false } = {}) =>
  writeAndClose(await openReplacement(file), content, sync);

/** Writes the whole content. If that fails, an earlier file of that name stays unchanged. */
export async function writeAndClose(
  { handle, keep, discard }: OpenFile,
  content: FileContent,
  sync = false,
): Promise<void> {
  try {
    await promises.writeFile(handle, content);
    if (sync) await handle.sync();
    await keep();
  } catch (error) {
    await discard();
    throw error;
  }
}

/** A file that is being written. Its name shows the new content only after `keep`. */
export interface OpenFile {
  handle: promises.FileHandle;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export async function openReplacement(
  file: string,
  { mode = 0o600, ignoresUmask = false } = {},
): Promise<OpenFile> {
  const temporary = temporaryNameFor(file);
  const handle = await promises.open(temporary, 'wx', mode);
  if (ignoresUmask) await handle.chmod(mode);
  return {
    handle,
    async keep() {
      await handle.close();
      await rename(temporary, file);
    },
    async discard() {
      await handle.close();
      await promises.rm(temporary, { force: true });
    },
  };
}

/** Windows cannot replace a file that another program has open, such as a virus scanner: for a moment. */
async function rename(temporary: string, file: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await promises.rename(temporary, file);
    } catch (error) {
      const isInUse = ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (!isInUse || tries === maxRenames) throw error;
      await new Promise((resolve) => setTimeout(resolve, renamePauseMs));
    }
  }
}

/**
 * In the same folder, because a rename cannot cross file systems. The global `crypto` is loaded on
 * first use; importing `node:crypto` would cost every command 3 ms.
 */
export const temporaryNameFor = (file: string) =>
  path.join(path.dirname(file), `.mar-${crypto.randomUUID()}.tmp`);
