import { type BigIntStats, fdatasync, fdatasyncSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { usageError } from '../errors.ts';
import { openRegularFile } from './regularFile.ts';

const sync = promisify(fdatasync);

/** From here on, a disk is slow. */
const slowMs = 0.5;

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A file that is only ever added to. What is added is on the disk when its promise is kept. All that
 * comes while the disk is busy shares the next sync, so many writers wait for few of them.
 */
export class DurableFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #opened: BigIntStats;
  #size: number;
  /** What of it was written. */
  #written: number;
  #pending = '';
  #waiting: Waiting[] = [];
  #busy: Promise<void> | undefined;
  #failure: unknown;
  /** How long a sync took of late. */
  #usualMs = 0;

  private constructor(file: string, handle: FileHandle, opened: BigIntStats, size: number) {
    this.#path = file;
    this.#handle = handle;
    this.#opened = opened;
    this.#size = size;
    this.#written = size;
  }

  /**
   * Opens a file that is there. Bytes behind `size` are cut off: a line that was half written.
   * `before` is what the file was when it was read.
   */
  static async open(file: string, size: number, before?: BigIntStats): Promise<DurableFile> {
    const handle = await openRegularFile(file, 'append');
    try {
      const opened = await handle.stat({ bigint: true });
      if (!isSame(opened, before ?? opened) || opened.size < size) throw replaced(file);
      await handle.truncate(size);
      return new DurableFile(file, handle, opened, size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Adds a line; gives the place where it begins. It is durable once `flushed` is kept. */
  add(line: string): number {
    const text = `${line}\n`;
    const place = this.#size;
    this.#size += Buffer.byteLength(text);
    this.#pending += text;
    return place;
  }

  /** All that was added so far is on the disk. Once a write has failed, nothing is any more. */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#busy ??= this.#flush();
    await written;
  }

  async close(): Promise<void> {
    await this.#busy;
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      // All answers that are there already are looked at first: what they add goes the same way.
      await new Promise(setImmediate);
      const waiting = this.#waiting;
      const text = this.#pending;
      this.#waiting = [];
      this.#pending = '';
      try {
        if (this.#failure !== undefined) throw this.#failure;
        const bytes = Buffer.from(text);
        writeAll(this.#handle.fd, bytes);
        this.#written += bytes.length;
        await this.#sync();
        this.#checkPlace();
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        this.#failure = error;
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#busy = undefined;
  }

  /** A file that was deleted or replaced still takes what is written, and the next run never sees it. */
  #checkPlace(): void {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const isThere = found && isSame(found, this.#opened) && found.size === BigInt(this.#written);
    if (!isThere) throw replaced(this.#path);
  }

  /** To wait for a fast disk takes less time than to have it waited for; a slow one is not to block. */
  async #sync(): Promise<void> {
    const start = performance.now();
    if (this.#usualMs < slowMs) fdatasyncSync(this.#handle.fd);
    else await sync(this.#handle.fd);
    this.#usualMs += (performance.now() - start - this.#usualMs) / 10;
  }
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && one.dev === other.dev;

const replaced = (file: string) =>
  usageError(
    `${file} was deleted, replaced or changed by another program`,
    'Nothing more was sent. Put it back as it was before you run the same command again: without it nobody knows which rows were sent.',
  );

/** A disk that is nearly full takes a part of it, and says so only the next time. */
function writeAll(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
}

/** So that the file itself is still there after a power cut. Not every system can. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
