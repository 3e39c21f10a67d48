import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { systemCode, usageError } from '../../errors.ts';
import { openRegularFile } from '../../files/openRegularFile.ts';
import { temporaryNameFor } from '../../files/replaceFile.ts';
import { systemReason } from '../../files/systemReason.ts';
import { notAFile } from '../places.ts';

const chunkBytes = 64 * 1024;

/** What a batch takes its rows from: a file that is read twice, first to check, then to send. */
export interface Source {
  /** For messages. */
  name: string;
  /** The file that holds standard input until a journal is bound to it. */
  temporary?: string;
  /** From the start. A hash that is given learns every byte. */
  chunks(hash?: Hash): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

export const newHash = () => createHash('sha256');

export async function openSource(file: string, name = file): Promise<Source> {
  const handle = await openRegularFile(file).catch((error: Error) => {
    if (systemCode(error) === 'EFTYPE') throw notAFile(name);
    const isMissing = systemCode(error) === 'ENOENT';
    throw usageError(`cannot read ${name}: ${isMissing ? 'there is no such file' : error.message}`);
  });
  const version = await versionOf(handle);
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
    if ((await versionOf(handle)) !== version) {
      throw usageError(`${name} was changed while it was read`, 'run the same command again');
    }
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    hash?.update(bytes);
    yield bytes;
  }
}

async function versionOf(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return `${size} ${mtimeNs}`;
}

/**
 * Keeps standard input in a file beside the journal: rows are read twice, and again by the next run.
 * The file takes its name only when the journal is known to be about it.
 */
export async function keepInput(stdin: Readable, kept: string, name: string): Promise<Source> {
  const temporary = temporaryNameFor(kept);
  try {
    await pipeline(stdin, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    return { ...(await openSource(temporary, name)), temporary };
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    if (systemCode(error) === undefined) throw error;
    throw usageError(
      `cannot keep standard input in ${kept}: ${systemReason(error)}`,
      'nothing was sent',
    );
  }
}
