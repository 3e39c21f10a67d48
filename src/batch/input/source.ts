import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCode, usageError } from '../../errors.ts';

const chunkBytes = 64 * 1024;

/** What a batch takes its rows from: a file that is read twice, first to check, then to send. */
export interface Source {
  /** For messages. */
  name: string;
  /** From the start. A hash that is given learns every byte. */
  chunks(hash?: Hash): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export const newHash = () => createHash('sha256');

export async function openSource(file: string, name = file): Promise<Source> {
  const handle = await open(file, 'r').catch((error: Error) => {
    const isMissing = systemCode(error) === 'ENOENT';
    throw usageError(`cannot read ${name}: ${isMissing ? 'there is no such file' : error.message}`);
  });
  const { isFile, isFolder, version } = await look(handle);
  if (!isFile) {
    await handle.close();
    if (isFolder) throw usageError(`cannot read ${name}: it is a folder`);
    throw usageError(
      `${name} is not a file, and a batch reads its rows twice`,
      'pass it on standard input: --batch - --journal FILE',
    );
  }
  return {
    name,
    chunks: (hash) => readChunks(handle, name, version, hash),
    close: () => handle.close(),
  };
}

async function* readChunks(
  handle: FileHandle,
  name: string,
  version: string,
  hash: Hash | undefined,
): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.allocUnsafe(chunkBytes),
      position,
    });
    // What was checked is what is sent, or nothing is.
    if ((await look(handle)).version !== version) {
      throw usageError(`${name} was changed while it was read`, 'run the same command again');
    }
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    hash?.update(bytes);
    yield bytes;
  }
}

async function look(handle: FileHandle) {
  const stats = await handle.stat({ bigint: true });
  return {
    isFile: stats.isFile(),
    isFolder: stats.isDirectory(),
    version: `${stats.size} ${stats.mtimeNs}`,
  };
}

/** Keeps what comes on standard input in a file: rows are read twice, and again by the next run. */
export async function keepInput(stdin: Readable, file: string): Promise<void> {
  try {
    await pipeline(stdin, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw usageError(
      `cannot keep standard input in ${file}: ${(error as Error).message}`,
      'nothing was sent',
    );
  }
}
