import { type BigIntStats, fdatasync, fdatasyncSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { usageError } from '../errors.ts';
import { openRegularFile, writeAll } from './regularFile.ts';

const slowSyncMs = 0.5;
const syncInThread = promisify(fdatasync);

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A file that only grows, by lines that survive a power cut once `flushed` resolves. All lines that
 * are added while the disk is busy share the next sync, so many writers wait for few syncs.
 */
export class DurableFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #opened: BigIntStats;
  #size: number;
  #written: number;
  #unwritten = '';
  #waiting: Waiting[] = [];
  #busy: Promise<void> | undefined;
  #failure: unknown;
  #syncMs = 0;

  private constructor(file: string, handle: FileHandle, opened: BigIntStats, size: number) {
    this.#path = file;
    this.#handle = handle;
    this.#opened = opened;
    this.#size = size;
    this.#written = size;
  }

  /**
   * Opens an existing file and cuts off the bytes after `size`: an incomplete line. Throws if it is
   * not the file that `before` describes.
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

  add(line: string): number {
    const offset = this.#size;
    this.#size += Buffer.byteLength(line) + 1;
    this.#unwritten += `${line}\n`;
    return offset;
  }

  /** Resolves once all lines so far are on the disk. After a failure, it always rejects. */
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
      // Responses that have already arrived add their lines first, to share this sync.
      await new Promise(setImmediate);
      const waiting = this.#waiting;
      const bytes = Buffer.from(this.#unwritten);
      this.#waiting = [];
      this.#unwritten = '';
      try {
        if (this.#failure !== undefined) throw this.#failure;
        writeAll(this.#handle.fd, bytes);
        this.#written += bytes.length;
        await this.#sync();
        this.#checkUnchanged();
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        this.#failure = error;
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#busy = undefined;
  }

  /** A deleted or replaced file still accepts writes, but the next run would not see them. */
  #checkUnchanged(): void {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const isUnchanged =
      found && isSame(found, this.#opened) && found.size === BigInt(this.#written);
    if (!isUnchanged) throw replaced(this.#path);
  }

  /** On a fast disk, a blocking sync takes less time than a thread; a slow disk must not block. */
  async #sync(): Promise<void> {
    const start = performance.now();
    if (this.#syncMs < slowSyncMs) fdatasyncSync(this.#handle.fd);
    else await syncInThread(this.#handle.fd);
    this.#syncMs += (performance.now() - start - this.#syncMs) / 10;
  }
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && one.dev === other.dev;

const replaced = (file: string) =>
  usageError(
    `${file} was deleted, replaced or changed by another program`,
    'Nothing more was sent. Put it back as it was before you run the same command again: without it nobody knows which rows were sent.',
  );

/** Makes a new file survive a power cut. Not every system supports it. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
