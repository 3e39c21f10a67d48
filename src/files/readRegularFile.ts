import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type MarError, systemCode, usageError } from '../errors.ts';

/** What the system says of files that are not regular ones when they are opened. */
const kinds: Readonly<Record<string, string>> = {
  EISDIR: 'a folder',
  ENXIO: 'not a regular file',
  ELOOP: 'a link',
};

/**
 * Reads a file in one of the program's own folders. Anything else in its place is an error: to open
 * a FIFO would wait for ever.
 */
export function readRegularFile(file: string): Buffer {
  return withRegularFile(file, constants.O_RDONLY, (descriptor) => readFileSync(descriptor));
}

/** Opens a file, which must be a regular one, for as long as it is used. */
export function withRegularFile<T>(file: string, flags: number, use: (descriptor: number) => T): T {
  const descriptor = openWithoutWaiting(file, flags);
  try {
    const found = fstatSync(descriptor);
    if (found.isFile()) return use(descriptor);
    throw notRegular(file, found.isDirectory() ? 'a folder' : 'not a regular file');
  } finally {
    closeSync(descriptor);
  }
}

function openWithoutWaiting(file: string, flags: number): number {
  try {
    // Windows has no such flag, and no such files.
    return openSync(file, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    const kind = kinds[systemCode(error) ?? ''];
    throw kind ? notRegular(file, kind) : error;
  }
}

const notRegular = (file: string, kind: string): MarError =>
  usageError(`cannot read ${file}: it is ${kind}`, 'move it away and try again');
