import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, usageError } from '../errors.ts';
import { systemReason } from './systemReason.ts';

export function isSameFile(one: string, other: string): boolean {
  if (path.resolve(one) === path.resolve(other)) return true;
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** A file below the current folder by its name there, as people would type it. */
export function shortPath(file: string): string {
  const relative = path.relative('', file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

/** Refuses, before any work, a file that cannot be written or would overwrite `ownFiles`. */
export function checkOutputPath(
  flag: '--report' | '--rejects' | '--plan',
  file: string,
  ownFiles: readonly string[],
): void {
  const facts = { flag, value: file };
  if (file === '' || file === '-') {
    throw usageError(`${flag} needs a file name: standard output is for the result`, facts);
  }
  try {
    const own = ownFiles.find((one) => isSameFile(one, file));
    if (own !== undefined) throw usageError(`${flag} would overwrite ${own}`, facts);
    const found = statSync(file, { throwIfNoEntry: false });
    const notFile = (kind: string) =>
      usageError(`${flag} needs a file name, but there is a ${kind} at ${file}`, facts);
    if (found?.isDirectory()) throw notFile('folder');
    if (found?.isSocket()) throw notFile('socket');
    if (found?.isBlockDevice()) throw notFile('device');
    accessSync(found ? file : path.dirname(file), constants.W_OK);
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the file of ${flag}, ${file}: ${systemReason(error)}`;
    throw usageError(problem, 'Nothing was sent.', facts);
  }
}
