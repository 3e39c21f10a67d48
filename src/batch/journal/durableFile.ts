import { fdatasync, fdatasyncSync, type PathLike, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

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
  readonly #handle: FileHandle;
  #size: number;
  #pending = '';
  #waiting: Waiting[] = [];
  #busy: Promise<void> | undefined;
  #failure: unknown;
  /** How long a sync took of late. */
  #usualMs = 0;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.#size = size;
  }

  /** What stands behind `size` is cut off: a line that was half written. */
  static async open(file: PathLike, size: number): Promise<DurableFile> {
    const handle = await open(file, size === 0 ? 'ax' : 'a', 0o600);
    if (size > 0) await handle.truncate(size);
    return new DurableFile(handle, size);
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
        writeAll(this.#handle.fd, Buffer.from(text));
        await this.#sync();
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        this.#failure = error;
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#busy = undefined;
  }

  /** To wait for a fast disk takes less time than to have it waited for; a slow one is not to block. */
  async #sync(): Promise<void> {
    const start = performance.now();
    if (this.#usualMs < slowMs) fdatasyncSync(this.#handle.fd);
    else await sync(this.#handle.fd);
    this.#usualMs += (performance.now() - start - this.#usualMs) / 10;
  }
}

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
