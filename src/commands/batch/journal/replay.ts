import { type BigIntStats, constants, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { MarError, orUndefined, systemCode, usageError } from '../../../errors.ts';
import { openRegularFile, withRegularFile } from '../../../files/regularFile.ts';
import { readReason } from '../../../files/systemReason.ts';
import { parseJson } from '../../../json/parse.ts';
import { isObject } from '../../../json/value.ts';
import { type RecordChange, readChange } from '../../../records/recordChange.ts';
import {
  ChecksumChain,
  canFollow,
  type InputFacts,
  isEvent,
  isHeader,
  isInputEvent,
  type JournalEvent,
  type JournalHeader,
  journalVersion,
  RecordIds,
  readKeys,
  stateAfter,
} from './format.ts';
import { parseShard } from './journalPaths.ts';
import { type KnownRows, RowMatcher } from './rowMatcher.ts';

export interface ReplayedJournal extends KnownRows {
  path: string;
  header: JournalHeader;
  /** In bytes, without an incomplete last line. */
  size: number;
  /** The last line is complete except for its line end. */
  lacksLineEnd: boolean;
  chain: ChecksumChain;
  /** The ids of all records that the batch created; empty for a batch that changes records. */
  createdIds: RecordIds;
  file: BigIntStats;
}

/** An id or a replaced value may be long, but no journal has longer lines. */
const maxLineBytes = 16 * 1024 * 1024;

/** Returns undefined if there is no journal; throws for a damaged one. */
export async function replay(path: string): Promise<ReplayedJournal | undefined> {
  const handle = await openJournal(path);
  if (!handle) return undefined;
  try {
    const reader = new JournalReader(path);
    for await (const line of linesOf(handle, path)) reader.read(line);
    return { ...reader.end(), file: await handle.stat({ bigint: true }) };
  } finally {
    await handle.close();
  }
}

export async function openJournal(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof MarError) throw notAJournal(path);
    throw usageError(`cannot read the journal ${path}: ${readReason(error)}`);
  }
}

interface Line {
  bytes: Buffer;
  position: number;
  hasEnd: boolean;
}

/** The keys of an input, which may take several lines. */
interface KeySection {
  input: InputFacts;
  keys: string[];
}

class JournalReader {
  readonly #path: string;
  readonly #chain = new ChecksumChain();
  /** Up to the last event or complete input. A killed run may leave a part of its keys: nothing was sent. */
  #complete = { size: 0, chain: this.#chain, lacksLineEnd: false };
  #header: JournalHeader | undefined;
  #known: KnownRows | undefined;
  #section: KeySection | undefined;
  readonly #createdIds = new RecordIds();

  constructor(path: string) {
    this.#path = path;
  }

  read({ bytes, position, hasEnd }: Line): void {
    if (!hasEnd && this.#header && !this.#isComplete(bytes)) return;
    const number = this.#chain.line + 1;
    if (!this.#header && !bytes.subarray(0, 16).equals(Buffer.from('{"journal":"mar"'))) {
      throw notAJournal(this.#path);
    }
    const value: unknown = orUndefined(() => JSON.parse(bytes.toString()));
    if (!this.#chain.accept(bytes)) {
      throw damaged(this.#path, number, mismatchReason(value, number));
    }
    if (!this.#header) this.#readHeader(value, hasEnd);
    else if (this.#section) this.#readKeys(value);
    else if (isInputEvent(value)) this.#readInput(value);
    else this.#readEvent(value, position);
    if (this.#section) return;
    const size = position + bytes.length + (hasEnd ? 1 : 0);
    this.#complete = { size, chain: this.#chain.copy(), lacksLineEnd: !hasEnd };
  }

  end(): Omit<ReplayedJournal, 'file'> {
    const [path, header, known] = [this.#path, this.#header, this.#known];
    if (!header) throw usageError(`the journal ${path} is empty`, hintForDamage);
    if (!known) throw damaged(path, this.#chain.line, 'lines are missing after it');
    return { ...known, ...this.#complete, path, header, createdIds: this.#createdIds };
  }

  #readHeader(value: unknown, hasEnd: boolean): void {
    const { version } = (value ?? {}) as Partial<JournalHeader>;
    if (Number(version) > journalVersion) {
      const problem = `the journal ${this.#path} was written by a newer version of mar`;
      throw usageError(problem, 'Nothing was sent. Update mar.');
    }
    // A header is written as a whole: an incomplete one is damage, not an interrupted run.
    if (!hasEnd || !isHeader(value)) throw damaged(this.#path, 1, 'invalid header');
    this.#header = value;
    this.#readInput(value);
  }

  #readInput(input: InputFacts): void {
    this.#section = { input, keys: [] };
    this.#readKeys(input);
  }

  #readKeys(value: unknown): void {
    const { input, keys } = this.#section as KeySection;
    const { rows, hash, at, format = this.#known?.format } = input;
    const { line } = this.#chain;
    const part = readKeys((value as { keys?: unknown } | undefined)?.keys);
    if (!part || keys.length + part.length > rows) {
      throw damaged(this.#path, line, 'invalid keys of rows');
    }
    keys.push(...part);
    if (keys.length < rows) return;
    this.#section = undefined;
    const shard = parseShard((this.#header as JournalHeader).shard);
    const matcher = new RowMatcher(shard, keys, this.#known);
    const { states } = matcher;
    // A record is created once. A write by id may have been replaced by the row that came after it.
    const isCreate = this.#isCreate;
    const removed = matcher.removed.filter(
      ({ state }) => isCreate || (state !== 'done' && state !== 'unchanged'),
    );
    this.#known = { rows, hash, format, at, keys, states, removed };
  }

  #readEvent(value: unknown, position: number): void {
    const { rows, states } = this.#known as KnownRows;
    const { line } = this.#chain;
    if (!isEvent(value, rows) || states.get(value.row) === 'elsewhere') {
      throw damaged(this.#path, line, 'it names no row of this batch');
    }
    if (!canFollow(states.get(value.row), value)) {
      throw damaged(this.#path, line, `unexpected event "${value.event}" for row ${value.row}`);
    }
    const state = stateAfter(value);
    states.set(value.row, state, position);
    if (this.#isCreate && state === 'done' && value.id) this.#createdIds.add(value.id);
  }

  get #isCreate(): boolean {
    return this.#header?.command.startsWith('POST ') === true;
  }

  /**
   * A killed run may leave part of a line. Its row was not sent, since that waits until the line is
   * on the disk. A complete line followed by other bytes was damaged later.
   */
  #isComplete(bytes: Buffer): boolean {
    // With its number, since a replaced value may have a field of this name.
    const end = new RegExp(`,"seq":${this.#chain.line + 1},"crc":"[\\da-f]{8}"\\}`);
    const seal = end.exec(bytes.toString('latin1'));
    if (!seal) return false;
    if (seal.index + seal[0].length < bytes.length)
      throw damaged(this.#path, this.#chain.line + 1, 'its line break is missing');
    return true;
  }
}

function mismatchReason(value: unknown, line: number): string {
  const { seq } = (value ?? {}) as { seq?: unknown };
  return typeof seq === 'number' && seq !== line
    ? `found line ${seq} instead, so lines are missing, repeated or moved`
    : 'its checksum does not match';
}

export async function* linesOf(handle: FileHandle, path: string): AsyncGenerator<Line> {
  let pending = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n', start)) {
      yield { bytes: pending.subarray(start, end), position: position + start, hasEnd: true };
      start = end + 1;
    }
    position += start;
    pending = pending.subarray(start);
    if (pending.length > maxLineBytes) throw notAJournal(path);
  }
  if (pending.length > 0) yield { bytes: pending, position, hasEnd: false };
}

export const notAJournal = (path: string) =>
  usageError(`${path} is not a journal of mar`, 'Use another file with --journal FILE.');

const damaged = (path: string, line: number, why: string): MarError =>
  usageError(`the journal ${path} is damaged at line ${line}: ${why}`, hintForDamage);

const hintForDamage =
  'Nothing was sent. Restore the journal from a backup: only the journal shows which rows were sent. --restart sends every row again.';

const firstReadBytes = 4 * 1024;

/** A journal that was replayed, and the positions of its lines. */
export type ReplayedLines = Pick<ReplayedJournal, 'path' | 'states'>;

export function latestEvent({ path, states }: ReplayedLines, row: number): Partial<JournalEvent> {
  const position = states.positionOf(row);
  return position === 0 ? {} : JSON.parse(lineAt(path, position));
}

/** The change that a row was sent with, if its latest event has one. */
export function latestChange(
  { path, states }: ReplayedLines,
  row: number,
): RecordChange | undefined {
  const position = states.positionOf(row);
  return position === 0 ? undefined : changeAt(path, position);
}

export function changeAt(path: string, position: number): RecordChange | undefined {
  const line = lineAt(path, position);
  if (!line.includes('"change":')) return undefined;
  const event = parseJson(line);
  return isObject(event) ? readChange(event.get('change')) : undefined;
}

function lineAt(path: string, position: number): string {
  try {
    return withRegularFile(path, constants.O_RDONLY, (file) => readLine(file, position));
  } catch (error) {
    const place = `the line at byte ${position} of the journal ${path}`;
    throw new MarError('service', `cannot read ${place}: ${readReason(error)}`, { cause: error });
  }
}

function readLine(file: number, position: number): string {
  for (let length = firstReadBytes; ; length *= 2) {
    const buffer = Buffer.alloc(length);
    const bytesRead = readSync(file, buffer, { position });
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    if (end >= 0 || bytesRead < length) {
      return buffer.toString('utf8', 0, end >= 0 ? end : bytesRead);
    }
  }
}
