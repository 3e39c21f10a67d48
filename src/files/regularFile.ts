import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type MarError, systemCode, usageError } from '../errors.ts';

/** Fails with EFTYPE on anything but a regular file: a pipe would wait for its other end. */
export async function openRegularFile(file: string, use: 'read' | 'append' = 'read') {
  const { O_RDONLY, O_WRONLY, O_APPEND, O_NONBLOCK } = constants;
  const flags = use === 'read' ? O_RDONLY : O_WRONLY | O_APPEND;
  // Loaded here because most commands do not need it: it would load 8 more modules of Node.
  const { open } = await import('node:fs/promises');
  let handle: FileHandle;
  try {
    handle = await open(file, flags | O_NONBLOCK);
  } catch (error) {
    // The codes of sockets, of pipes without a reader, and of folders opened for writing.
    if (['ENXIO', 'EISDIR'].includes(systemCode(error) ?? '')) throw notAFile(file);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(file);
}

const notAFile = (file: string) =>
  Object.assign(new Error(`${file} is not a regular file`), { code: 'EFTYPE' });

/** Reads a file in one of mar's own folders. Anything but a regular file is a usage error. */
export const readRegularFile = (file: string): Buffer =>
  withRegularFile(file, constants.O_RDONLY, (descriptor) => readFileSync(descriptor));

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

const kinds: Readonly<Record<string, string>> = {
  EISDIR: 'a folder',
  ENXIO: 'not a regular file',
  ELOOP: 'a link',
};

function openWithoutWaiting(file: string, flags: number): number {
  try {
    // Windows has neither this flag nor such files.
    return openSync(file, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    const kind = kinds[systemCode(error) ?? ''];
    throw kind ? notRegular(file, kind) : error;
  }
}

const notRegular = (file: string, kind: string): MarError =>
  usageError(
    `cannot read ${file}: it is ${kind}`,
    'Move it away, then run the same command again.',
  );

/** Appends to a file that only its owner can read. Follows no link. */
export function appendToFile(file: string, text: string): Stats {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  return withRegularFile(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, (descriptor) => {
    writeAll(descriptor, text);
    return fstatSync(descriptor);
  });
}

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
