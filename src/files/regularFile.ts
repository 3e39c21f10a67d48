import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type MarError, systemCode, usageError } from '../errors.ts';

/**
 * Opens a file to read it, or to add to it. A pipe, a device, a socket or a folder in its place is
 * an error with the code EFTYPE, and never waited for: opening a pipe waits for its other end.
 */
export async function openRegularFile(file: string, use: 'read' | 'append' = 'read') {
  const { O_RDONLY, O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
  const flags = use === 'read' ? O_RDONLY : O_WRONLY | O_APPEND;
  // Loaded here because most commands do not need it: it would load 8 more modules of Node.
  const { open } = await import('node:fs/promises');
  let handle: FileHandle;
  try {
    handle = await open(file, flags | O_NONBLOCK);
  } catch (error) {
    // What a socket, a pipe that nobody reads, and a folder that is to be written give.
    if (['ENXIO', 'EISDIR'].includes(systemCode(error) ?? '')) throw notAFile(file);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(file);
}

const notAFile = (file: string) =>
  Object.assign(new Error(`${file} is not a regular file`), { code: 'EFTYPE' });

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

/**
 * Adds text to the end of a file for its owner alone, and returns the new size. A link in its place
 * is not followed.
 */
export function appendToFile(file: string, text: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  return withRegularFile(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, (descriptor) => {
    writeAll(descriptor, text);
    return fstatSync(descriptor).size;
  });
}

/**
 * Writes to an open file, all of it or with an error. A nearly full disk takes the part that fits and
 * fails only the next write, which Node's own stream for files never makes.
 */
export function writeAll(descriptor: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
}
