import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, orUndefined, systemCode, usageError } from '../errors.ts';
import { systemReason } from './systemReason.ts';

/** The path of a file without links. The file, and the one that a link names, may not exist yet. */
export function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return path.resolve(file);
    const above = path.dirname(file);
    // The root of a drive that does not exist.
    const folder = above === file ? file : resolveLinks(above);
    const target = orUndefined(() => readlinkSync(file));
    if (target !== undefined) return resolveLinks(path.resolve(folder, target));
    return path.resolve(folder, path.basename(file));
  }
}

/** Reads a file that the user named. A pipe or a device may have no end, unless the shell opened it. */
export function readNamedFile(file: string): Buffer {
  const found = statSync(file);
  const isOpen = /^\/(?:dev\/stdin$|dev\/fd\/|proc\/self\/fd\/)/.test(file);
  if (found.isFile() || found.isDirectory() || isOpen) return readFileSync(file);
  throw new Error('it is not a regular file');
}

export function isSameFile(one: string, other: string): boolean {
  if (resolveLinks(one) === resolveLinks(other)) return true;
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** True for the folder itself, and for everything below it. Both are paths without links. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative);
}

/** A file below the current folder by its name there, as people would type it. */
export const shortPath = (file: string): string =>
  isInside('', file) ? path.relative('', file) : file;

/** Refuses, before any work, a file that cannot be written or would overwrite `ownFiles`. */
export function checkOutputPath(
  flag: '--report' | '--rejects' | '-O',
  file: string | undefined,
  ownFiles: readonly string[],
): void {
  if (file === undefined) return;
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
