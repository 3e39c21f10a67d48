import { type BigIntStats, fdatasyncSync, statSync } from 'node:fs';
import { type FileHandle, open, truncate } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../errors.ts';
import { openRegularFile, writeAll } from './regularFile.ts';

export type DurableFile = Awaited<ReturnType<typeof openDurableFile>>;

/** A sync that takes less counts as fast. */
const fastSyncMs = 2;

interface Waiting {
  lastLine?: (offset: number) => string;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Opens a file that only grows, by lines that survive a power cut once `synced` resolves. Those who
 * wait while the disk is busy share the next sync. Cuts off the bytes after `size`: an incomplete line.
 * Throws if the file is not the one that `before` describes.
 */
export async function openDurableFile(file: string, size: number, before?: BigIntStats) {
  const handle = await openRegularFile(file, 'append');
  try {
    const opened = await handle.stat({ bigint: true });
    if (!isSame(opened, before ?? opened) || opened.size < size) throw replaced(file);
    // By its name, because Windows truncates no file that is open for appending.
    if (opened.size > size) await truncate(file, size);
    return durableFile(file, handle, opened, size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function durableFile(file: string, handle: FileHandle, opened: BigIntStats, openedSize: number) {
  let size = openedSize;
  let waiting: Waiting[] = [];
  let syncs: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  let wasFast = false;

  /** Writes a line, which survives the end of the process. Returns its offset. */
  const add = (line: string): number => {
    const offset = size;
    const bytes = Buffer.from(`${line}\n`);
    size += bytes.length;
    try {
      if (!failure) writeAll(handle.fd, bytes);
    } catch (error) {
      failure = { error };
    }
    return offset;
  };

  const throwFailure = () => {
    if (failure) throw failure.error;
  };

  const sync = async () => {
    throwFailure();
    const start = performance.now();
    // Another thread of a busy computer would wait longer for its turn than for a fast disk.
    if (wasFast) fdatasyncSync(handle.fd);
    else await handle.datasync();
    wasFast = performance.now() - start < fastSyncMs;
    // A line that was added meanwhile may have found the disk full, and the file is then too short.
    throwFailure();
    // A deleted or replaced file still accepts writes, but the next run would not see them.
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    const isUnchanged = found && isSame(found, opened) && found.size === BigInt(size);
    if (!isUnchanged) throw replaced(file);
  };

  const syncWaiting = async (): Promise<void> => {
    // Waits for the lines of responses that have already arrived.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const group = waiting.slice(0, durable.maxTogether);
      waiting = waiting.slice(durable.maxTogether);
      for (const { lastLine } of group) if (lastLine) add(lastLine(size));
      try {
        await sync();
        for (const { resolve } of group) resolve();
      } catch (error) {
        failure ??= { error };
        for (const { reject } of group) reject(error);
      }
    }
    syncs = undefined;
  };

  const durable = {
    add,
    /** How many calls of `synced` may share a sync. */
    maxTogether: Number.POSITIVE_INFINITY,
    /**
     * Resolves once all lines so far survive a power cut. `lastLine` makes one more line, which is
     * written when the sync starts. After a failure, it always rejects.
     */
    synced: (lastLine?: Waiting['lastLine']): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ lastLine, resolve, reject });
        syncs ??= syncWaiting();
      }),
    async close(): Promise<void> {
      await syncs;
      await handle.close();
    },
  };
  return durable;
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && one.dev === other.dev;

const replaced = (file: string) =>
  usageError(
    `the journal ${file} was deleted, replaced or changed by another program`,
    'Nothing more was sent. The journal records which rows were sent: restore it, then run the same command again.',
  );

/** Makes a new file survive a power cut. Not every system supports it. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
