import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { MarError, systemCode, usageError } from '../../errors.ts';
import { openRegularFile } from '../../files/regularFile.ts';
import { parseShard, wholeInput } from '../journalPaths.ts';
import {
  canFollow,
  isEvent,
  isHeader,
  type JournalEvent,
  type JournalHeader,
  journalVersion,
  LineChain,
  stateAfter,
} from './format.ts';
import { RowStates } from './states.ts';

/** What a journal holds. */
export interface Replayed {
  header: JournalHeader;
  states: RowStates;
  /** Without a last line that was only half written. */
  size: number;
  /** The last line is whole, but for its line end. */
  lacksLineEnd: boolean;
  chain: LineChain;
  /** Tells whether it is still the same file. */
  file: BigIntStats;
}

const newline = 0x0a;
/** An id may be long, but a line like this is no journal's. */
const maxLineBytes = 16 * 1024 * 1024;

/** Reads a journal; undefined when there is none. One that is damaged is refused. */
export async function replay(path: string): Promise<Replayed | undefined> {
  const handle = await openJournal(path);
  if (!handle) return undefined;
  try {
    const reader = new JournalReader(path);
    for await (const line of linesOf(handle, path)) reader.take(line);
    return { ...reader.end(), file: await handle.stat({ bigint: true }) };
  } finally {
    await handle.close();
  }
}

async function openJournal(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) === 'EFTYPE') throw foreign(path);
    throw usageError(`cannot read the journal ${path}: ${(error as Error).message}`);
  }
}

interface Line {
  bytes: Buffer;
  place: number;
  /** Only the last line of a file can lack its end. */
  hasEnd: boolean;
}

class JournalReader {
  readonly #path: string;
  readonly #states = new RowStates();
  readonly #chain = new LineChain();
  #header: JournalHeader | undefined;
  #shard = wholeInput;
  #size = 0;
  #lacksLineEnd = false;

  constructor(path: string) {
    this.#path = path;
  }

  take(line: Line): void {
    const { bytes, place, hasEnd } = line;
    if (!hasEnd && this.#header && !this.#isWhole(bytes)) return;
    const number = this.#chain.line + 1;
    if (!this.#header && !bytes.subarray(0, 16).equals(Buffer.from('{"journal":"mar"'))) {
      throw foreign(this.#path);
    }
    const value = parse(bytes);
    if (!this.#chain.accept(bytes)) throw damaged(this.#path, number, whyRefused(value, number));
    if (this.#header) this.#event(value, place);
    else this.#begin(value, hasEnd);
    this.#size = place + bytes.length + (hasEnd ? 1 : 0);
    this.#lacksLineEnd = !hasEnd;
  }

  end(): Omit<Replayed, 'file'> {
    const header = this.#header;
    if (!header) throw empty(this.#path);
    const { size, lacksLineEnd } = { size: this.#size, lacksLineEnd: this.#lacksLineEnd };
    return { header, states: this.#states, size, lacksLineEnd, chain: this.#chain };
  }

  #begin(value: unknown, hasEnd: boolean): void {
    const { version } = (value ?? {}) as Partial<JournalHeader>;
    if (Number(version) > journalVersion) throw newer(this.#path);
    // A header takes its place whole: a part of one is damage, not a run that was broken off.
    const isWhole = hasEnd && (version === 1 || this.#chain.hasSeals);
    if (!isWhole || !isHeader(value)) throw damaged(this.#path, 1, 'it is no header');
    this.#header = value;
    this.#shard = parseShard(value.shard);
  }

  #event(value: unknown, place: number): void {
    const { rows } = this.#header as JournalHeader;
    const { line } = this.#chain;
    if (!isEvent(value, rows, this.#shard)) {
      throw damaged(this.#path, line, 'it tells of no row of this batch');
    }
    if (!canFollow(this.#states.get(value.row), value)) {
      throw damaged(this.#path, line, `row ${value.row} cannot be "${value.event}" at this point`);
    }
    this.#states.set(value.row, stateAfter(value), place);
  }

  /**
   * Whether a last line without its end was written to the last character. A run that was killed
   * leaves a part of a line, and its row was not sent: that waits until the line is on the disk. A
   * whole line with something else in place of its end was damaged later.
   */
  #isWhole(bytes: Buffer): boolean {
    if (!this.#chain.hasSeals) return false;
    const seal = /,"crc":"[\da-f]{8}"\}/.exec(bytes.toString('latin1'));
    if (!seal) return false;
    const end = seal.index + seal[0].length;
    if (end < bytes.length) throw damaged(this.#path, this.#chain.line + 1, 'its end is missing');
    return true;
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function whyRefused(value: unknown, line: number): string {
  const { seq } = (value ?? {}) as { seq?: unknown };
  return typeof seq === 'number' && seq !== line
    ? `line ${seq} stands there, so lines are missing, repeated or moved`
    : 'its checksum does not match';
}

async function* linesOf(handle: FileHandle, path: string): AsyncGenerator<Line> {
  let pending = Buffer.alloc(0);
  let place = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (let end = pending.indexOf(newline); end >= 0; end = pending.indexOf(newline, start)) {
      yield { bytes: pending.subarray(start, end), place: place + start, hasEnd: true };
      start = end + 1;
    }
    place += start;
    pending = pending.subarray(start);
    if (pending.length > maxLineBytes) throw foreign(path);
  }
  if (pending.length > 0) yield { bytes: pending, place, hasEnd: false };
}

export const foreign = (path: string) =>
  usageError(`${path} is not a journal of mar`, 'name another one with --journal');

const newer = (path: string) =>
  usageError(`the journal ${path} was written by a newer version of mar`, 'Update mar.');

const empty = (path: string) => usageError(`the journal ${path} is empty`, hintForDamage);

const damaged = (path: string, line: number, why: string): MarError =>
  usageError(`the journal ${path} is damaged at line ${line}: ${why}`, hintForDamage);

const hintForDamage =
  'Nothing was sent. Restore the journal from a copy: without it nobody knows which rows were sent. --restart sends every row again.';

/** Longer than nearly any line: only an id knows no bounds. */
const usualLineBytes = 4 * 1024;

/** What a journal says of single rows, read when it is asked for. */
export class JournalDetails {
  readonly #path: string;
  readonly #states: RowStates;
  #handle?: FileHandle;

  constructor(path: string, states: RowStates) {
    this.#path = path;
    this.#states = states;
  }

  async of(row: number): Promise<Partial<JournalEvent>> {
    const place = this.#states.placeOf(row);
    if (place === 0) return {};
    try {
      this.#handle ??= await openRegularFile(this.#path);
      return JSON.parse(await lineAt(this.#handle, place)) as JournalEvent;
    } catch (error) {
      // It was whole when it was read: something else changed it since.
      throw new MarError(
        'service',
        `cannot read row ${row} in the journal ${this.#path}: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function lineAt(handle: FileHandle, place: number): Promise<string> {
  for (let length = usualLineBytes; ; length *= 2) {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read({ buffer, position: place });
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    if (end >= 0 || bytesRead < length) {
      return buffer.toString('utf8', 0, end >= 0 ? end : bytesRead);
    }
  }
}
