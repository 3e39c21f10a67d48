import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { systemCode } from '../errors.ts';
import { resolveLinks } from './paths.ts';
import { type FileContent, type OpenFile, openReplacement, writeAndClose } from './replaceFile.ts';

/** Writes a file that the user named. */
export const writeOutputFile = async (
  file: string,
  content: FileContent,
  options?: { waitsForReader?: boolean },
): Promise<void> => writeAndClose(await openOutputFile(file, options), content);

/** Opens a file that the user named. A link is followed; a device or a pipe is not replaced. */
export async function openOutputFile(
  file: string,
  { waitsForReader = true, isNew = false } = {},
): Promise<OpenFile> {
  const target = resolveLinks(file);
  const existing = await stat(target).catch(() => undefined);
  if (!existing) return openReplacement(target, { mode: 0o666, isNew });
  if (existing.isFile()) {
    return openReplacement(target, { mode: existing.mode & 0o777, ignoresUmask: true });
  }
  const pipe = existing.isFIFO() && !waitsForReader ? await openPipe(target) : undefined;
  try {
    const handle = await open(target, 'w');
    const keep = () => handle.close().then(() => target);
    return { handle, keep, discard: () => handle.close() };
  } finally {
    await pipe?.close();
  }
}

/** Opens a named pipe without waiting for a reader, who may never come. */
async function openPipe(file: string) {
  try {
    return await open(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw new Error('no program reads this pipe');
    throw error;
  }
}
