import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeSync,
} from 'node:fs';
import type { Readable } from 'node:stream';
import { systemCode, usageError } from '../errors.ts';

/*
 * Opens regular files only; anything else is a usage error. With O_NONBLOCK, opening a pipe does not
 * wait for its other end. Windows has neither this flag nor such files.
 */

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

export const readRegularFile = (file: string): Buffer =>
  withRegularFile(file, O_RDONLY, (descriptor) => readFileSync(descriptor));

export function withRegularFile<T>(file: string, flags: number, use: (descriptor: number) => T): T {
  const descriptor = openRegular(file, flags);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the descriptor. */
export function openRegular(file: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, flags | O_NONBLOCK, 0o600);
  } catch (error) {
    throw openError(file, error);
  }
  const found = fstatSync(descriptor);
  if (found.isFile()) return descriptor;
  closeSync(descriptor);
  throw notRegular(file, found);
}

const kinds: Readonly<Record<string, string>> = {
  EISDIR: 'a folder',
  ENXIO: 'not a regular file',
  ELOOP: 'a link',
};

/** The error of the system, or a usage error if its code means that this is no regular file. */
function openError(file: string, error: unknown): unknown {
  const kind = kinds[systemCode(error) ?? ''];
  if (!kind) return error;
  const hint = 'Move it away, then run the same command again.';
  return usageError(`cannot read ${file}: it is ${kind}`, hint);
}

const notRegular = (file: string, found: Stats) =>
  openError(file, { code: found.isDirectory() ? 'EISDIR' : 'ENXIO' });

/** Appends to a file that only its owner can read. Follows no link. */
export const appendToFile = (file: string, text: string): Stats =>
  withRegularFile(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, (descriptor) => {
    writeAll(descriptor, text);
    return fstatSync(descriptor);
  });

/** A nearly full disk accepts the part that fits, and fails only the next write. */
export function writeAll(descriptor: number, content: string | Uint8Array): void {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
}

export async function readAll(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
