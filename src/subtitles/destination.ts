import { realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import { replaceFile } from '../files/replaceFile.ts';

/** Writes a file that the user named. If it fails, an earlier file of that name stays unchanged. */
export async function writeNamedFile(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file).catch(() => file);
    const there = await stat(target).catch(() => undefined);
    // A device or a pipe is written to, not replaced.
    if (there && !there.isFile()) await writeFile(target, text);
    else await replaceFile(target, text, { mode: there ? there.mode & 0o777 : 0o666 });
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
