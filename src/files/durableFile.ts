import { type BigIntStats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../errors.ts';
import { openRegularFile, writeAll } from './regularFile.ts';

/**
 * A file that only grows, by lines that survive a power cut once `flushed` resolves. All lines that
 * are added while the disk is busy share the next sync, so many writers wait for few syncs.
 */
export interface DurableFile {
  /** Returns the offset of the line. */
  add(line: string): number;
  /**
   * Resolves once all lines so far are on the disk. After a failure, it always rejects. With
   * `gatherMs`, the lines wait for others, to share a sync with them.
   */
  flushed(gatherMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Cuts off the bytes after `size`: an incomplete line. Throws if the file is not the one that `before` describes. */
export async function openDurableFile(
  file: string,
  size: number,
  before?: BigIntStats,
): Promise<DurableFile> {
  const handle = await openRegularFile(file, 'append');
  try {
    const opened = await handle.stat({ bigint: true });
    if (!isSame(opened, before ?? opened) || opened.size < size) throw replaced(file);
    await handle.truncate(size);
    return durableFile(file, handle, opened, size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function durableFile(
  file: string,
  handle: FileHandle,
  opened: BigIntStats,
  openedSize: number,
): DurableFile {
  let size = openedSize;
  let written = openedSize;
  let unwritten = '';
  // Once a flush fails, this promise stays rejected, and so do all that follow it.
  let lastFlush = Promise.resolve();
  let nextFlush: Promise<void> | undefined;

  /** Without a time, waits only for the lines of responses that have already arrived. */
  const gather = (ms: number) =>
    new Promise<void>((resolve) => {
      if (ms > 0) setTimeout(resolve, ms);
      else setImmediate(resolve);
    });

  const flush = async () => {
    nextFlush = undefined;
    const bytes = Buffer.from(unwritten);
    unwritten = '';
    writeAll(handle.fd, bytes);
    written += bytes.length;
    await handle.datasync();
    // A deleted or replaced file still accepts writes, but the next run would not see them.
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    const isUnchanged = found && isSame(found, opened) && found.size === BigInt(written);
    if (!isUnchanged) throw replaced(file);
  };

  return {
    add(line) {
      const offset = size;
      size += Buffer.byteLength(line) + 1;
      unwritten += `${line}\n`;
      return offset;
    },
    flushed(gatherMs = 0) {
      nextFlush ??= Promise.all([lastFlush, gather(gatherMs)]).then(flush);
      lastFlush = nextFlush;
      return nextFlush;
    },
    async close() {
      await lastFlush.catch(() => {});
      await handle.close();
    },
  };
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
