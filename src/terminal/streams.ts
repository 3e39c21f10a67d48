import { fstatSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { MarError, systemCode } from '../errors.ts';
import { writeAll } from '../files/regularFile.ts';
import { systemReason } from '../files/systemReason.ts';

/** The reader of standard output went away (`mar … | head`): nobody wants the rest. */
export class ClosedPipe extends Error {}

export type TerminalReadable = Readable & {
  isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
};
export type TerminalWritable = Writable & { isTTY?: boolean; columns?: number; fd?: number };

const newline = 0x0a;
/** The system took a part and has no room for the rest. */
const noRoom: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** An output stream that is waited for: a slow reader makes the program slow, not large. */
export class Output {
  readonly #name: string;
  readonly #open: () => TerminalWritable;
  readonly #interruption: AbortSignal | undefined;
  #opened?: TerminalWritable;
  /** The descriptor, where the output goes to a file. */
  #file?: number;
  /** Done before each write, by what stands at the cursor for a while. */
  beforeWrite?: () => Promise<void>;
  /** Whether all that was written so far ended its line. */
  isAtLineStart = true;
  /** Whether what was written last is not taken yet. */
  isWaiting = false;

  /** Opening a standard stream takes Node a millisecond or two, so it waits for the first use. */
  constructor(name: string, open: () => TerminalWritable, interruption?: AbortSignal) {
    this.#name = name;
    this.#open = open;
    this.#interruption = interruption;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || 80;
  }

  /** Text, or bytes that are to go out as they are. */
  async write(text: string | Uint8Array): Promise<void> {
    if (text.length === 0) return;
    if (this.beforeWrite) await this.beforeWrite();
    const end = text.at(-1);
    this.isAtLineStart = end === '\n' || end === newline;
    this.isWaiting = true;
    const error = await this.#put(text).finally(() => {
      this.isWaiting = false;
    });
    if (!error) return;
    const code = systemCode(error);
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') throw new ClosedPipe();
    throw new MarError('service', `cannot write to ${this.#name}: ${error.message}`, {
      hint: noRoom.has(code)
        ? `${systemReason(error)}: what was written is not complete`
        : undefined,
      cause: error,
    });
  }

  /** Writes what does not stay, past whatever waits for a write. If it fails, nothing is lost. */
  async draw(text: string): Promise<void> {
    await this.#put(text);
  }

  /** Waits until it is taken, or until nobody wants it any more: a reader may never read. */
  #put(text: string | Uint8Array): Promise<Error | null | undefined> {
    const stream = this.#stream;
    if (this.#file !== undefined) return putIntoFile(this.#file, text);
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
      this.#file = fileOf(this.#opened);
      // A failed write is told to its caller; without a listener it would end the process as well.
      this.#opened.on('error', () => {});
    }
    return this.#opened;
  }
}

function fileOf({ fd, isTTY }: TerminalWritable): number | undefined {
  return fd !== undefined && !isTTY && fstatSync(fd).isFile() ? fd : undefined;
}

async function putIntoFile(file: number, text: string | Uint8Array): Promise<Error | undefined> {
  try {
    writeAll(file, text);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

export interface Streams {
  /** Opened when it is first asked for: it is read only when the user says so. */
  readonly stdin: TerminalReadable;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Everything on standard input. */
export async function readAll(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
