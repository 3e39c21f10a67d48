import { constants } from 'node:fs';
import { open, realpath, stat, writeFile } from 'node:fs/promises';
import { systemCode } from '../errors.ts';
import { type FileContent, replaceFile } from './replaceFile.ts';

/**
 * Writes a file that the user named. If it fails, an earlier file of that name stays unchanged. A link
 * is followed, and a device or a pipe is written to, not replaced.
 */
export async function writeOutputFile(
  file: string,
  content: FileContent,
  { waitsForReader = true } = {},
): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => undefined);
  if (!existing) return replaceFile(target, content, { mode: 0o666 });
  if (existing.isFile()) {
    return replaceFile(target, content, { mode: existing.mode & 0o777, ignoresUmask: true });
  }
  const pipe = existing.isFIFO() && !waitsForReader ? await openPipe(target) : undefined;
  try {
    await writeFile(target, content);
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
