import { fstatSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { MarError, systemCode } from '../errors.ts';
import { writeAll } from '../files/regularFile.ts';
import { systemReason } from '../files/systemReason.ts';
import type { Environment } from '../values/environment.ts';

/** The reader of standard output went away, as in `mar … | head`. */
export class ClosedPipe extends Error {}

export type TerminalReadable = Readable & {
  isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
};
export type TerminalWritable = Writable & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  fd?: number;
};

/** For a terminal that does not know its size. */
const defaultColumns = 80;
const defaultRows = 24;

const diskFullCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** An output stream whose writes are awaited: a slow reader slows the program, but does not fill memory. */
export class Output {
  #name: string;
  #open: () => TerminalWritable;
  readonly #interruption: AbortSignal | undefined;
  /** The width, where no terminal knows it. */
  readonly #columns: number;
  #opened?: TerminalWritable;
  #file?: number;
  beforeWrite?: () => Promise<void>;
  isAtLineStart = true;
  isWaiting = false;
  hasWritten = false;
  /** The result is incomplete. */
  isCutOff = false;
  /** Records of the result so far; undefined if it has none. */
  records?: number;
  /** Gets all output instead of the stream: a pager, or what is held back meanwhile. */
  redirect?: (text: string | Uint8Array) => Promise<void>;

  /** The stream is opened on first use, since that takes Node a millisecond or two. */
  constructor(
    name: string,
    open: () => TerminalWritable,
    interruption?: AbortSignal,
    columns = defaultColumns,
  ) {
    this.#name = name;
    this.#open = open;
    this.#interruption = interruption;
    this.#columns = columns;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || this.#columns;
  }

  get rows(): number {
    return this.#stream.rows || defaultRows;
  }

  get terminal(): TerminalWritable {
    return this.#stream;
  }

  /** From here on, everything goes to a file. */
  writeTo(name: string, stream: TerminalWritable): void {
    this.#name = name;
    this.#open = () => stream;
    this.#opened = undefined;
    this.#file = undefined;
  }

  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0) return;
    this.isAtLineStart = text.at(-1) === (typeof text === 'string' ? '\n' : 0x0a);
    if (this.redirect) return this.redirect(text);
    if (this.beforeWrite) await this.beforeWrite();
    this.isWaiting = true;
    const error = await this.#put(text).finally(() => {
      this.isWaiting = false;
    });
    this.hasWritten = true;
    if (!error) return;
    this.isCutOff = true;
    const code = systemCode(error);
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') throw new ClosedPipe();
    throw new MarError('local', `cannot write to ${this.#name}: ${systemReason(error)}`, {
      hint: diskFullCodes.has(code) ? 'The output is incomplete.' : undefined,
      cause: error,
    });
  }

  /** Waits until the write is finished or interrupted, since a reader may never read. */
  async #put(text: string | Uint8Array): Promise<Error | null | undefined> {
    const stream = this.#stream;
    if (this.#file !== undefined) {
      try {
        writeAll(this.#file, text);
        return null;
      } catch (error) {
        return error as Error;
      }
    }
    const interruption = this.#interruption;
    return new Promise((resolve, reject) => {
      const interrupt = () => reject(interruption?.reason);
      interruption?.addEventListener('abort', interrupt, { once: true });
      stream.write(text, (error) => {
        interruption?.removeEventListener('abort', interrupt);
        resolve(error);
      });
    });
  }

  get #stream(): TerminalWritable {
    if (!this.#opened) {
      this.#opened = this.#open();
      const { fd, isTTY } = this.#opened;
      if (fd !== undefined && !isTTY && fstatSync(fd).isFile()) this.#file = fd;
      // The caller gets the error; without a listener it would also end the process.
      this.#opened.on('error', () => {});
    }
    return this.#opened;
  }
}

export interface Streams {
  readonly stdin: TerminalReadable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Shown on standard error at the moment. */
  progress?: {
    readonly text: string;
    announceRetry(waitMs: number, status: number | undefined): void;
  };
}

/** The parts of the process that questions, pagers, editors and progress need. */
export interface TerminalWorld {
  streams: Streams;
  env: Environment;
  platform: NodeJS.Platform;
  /** Aborts on the first signal; its reason is the error to exit with. */
  signal: AbortSignal;
  /** Does what Ctrl-C does: a terminal in raw mode sends it as a key. */
  interrupt(): void;
  /** Runs something that Ctrl-C is meant for, such as an editor. */
  ignoringInterrupts<T>(action: () => Promise<T>): Promise<T>;
}
