import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { MarError, systemCode } from '../errors.ts';

/** Writes a file whole or not at all: if it fails, what was there before stays as it was. */
export async function replaceFile(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file).catch(() => file);
    const there = await stat(target).catch(() => undefined);
    // A device or a pipe is written to, not replaced.
    if (there && !there.isFile()) await writeTo(target, text, 'w');
    else await draft(target, text, there?.mode);
  } catch (error) {
    throw new MarError('usage', `cannot write ${file}: ${reasonOf(error, file)}`, { cause: error });
  }
}

/** The system's own words name the unfinished file, which nobody knows of. */
function reasonOf(error: unknown, file: string): string {
  const code = systemCode(error);
  if (code === 'ENOENT') return `there is no folder ${path.dirname(file)}`;
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return `${path.dirname(file)} cannot be written to`;
  if (code === 'ENAMETOOLONG') return 'the name is too long';
  return (error as Error).message.replace(/, [a-z]+ '.*$/s, '');
}

async function draft(target: string, text: string, mode = 0o666): Promise<void> {
  const unfinished = path.join(path.dirname(target), `.mar-${randomUUID()}.tmp`);
  try {
    await writeTo(unfinished, text, 'wx', mode);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeTo(target: string, text: string, flags: string, mode?: number): Promise<void> {
  const file = await open(target, flags, mode);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
