import { constants, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import {
  forPerson,
  MarError,
  onCommandLine,
  orUndefined,
  systemCode,
  usageError,
} from '../../../core/errors.ts';
import { openRegularFile, withRegularFile } from '../../../core/files/regularFile.ts';
import { readReason } from '../../../core/files/systemReason.ts';
import { parseJson } from '../../../core/json/parse.ts';
import { isObject, type JsonObject } from '../../../core/json/value.ts';
import { type RecordChange, readChange } from '../../../core/records/recordChange.ts';
import {
  ChecksumChain,
  type InputFacts,
  type JournalEvent,
  type JournalHeader,
  journalVersion,
  readKeys,
  stateAfter,
} from './format.ts';
import { parseShard } from './journalPaths.ts';
import { type KnownRows, matchRows, type RemovedRow } from './rowMatcher.ts';

export type ReplayedJournal = NonNullable<Awaited<ReturnType<typeof replay>>>;

/** Called with each line that follows the header: an event, or the keys of an edited input. */
export type OnLine = (value: unknown, position: number) => void;

/** Returns undefined if there is no journal; throws for a damaged one. */
export async function replay(path: string, onLine?: OnLine) {
  const handle = await openJournal(path);
  if (!handle) return undefined;
  try {
    const journal = await readJournal(path, linesOf(handle), onLine);
    return { ...journal, file: await handle.stat({ bigint: true }) };
  } finally {
    await handle.close();
  }
}

/** Like `replay`, for a journal that must exist. */
export async function replayExisting(path: string, onLine?: OnLine): Promise<ReplayedJournal> {
  const replayed = await replay(path, onLine);
  if (replayed) return replayed;
  throw usageError(`cannot find the journal ${path}`);
}

const firstBytes = Buffer.from('{"journal":"mar"');

export async function isJournal(path: string): Promise<boolean> {
  const handle = await openRegularFile(path).catch(() => undefined);
  try {
    const start = await handle?.read(Buffer.alloc(firstBytes.length), 0, firstBytes.length, 0);
    return start?.buffer.equals(firstBytes) === true;
  } finally {
    await handle?.close();
  }
}

async function openJournal(path: string): Promise<FileHandle | undefined> {
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

async function readJournal(path: string, lines: AsyncIterable<Line>, onLine?: OnLine) {
  let chain = new ChecksumChain();
  let header: JournalHeader | undefined;
  let known: KnownRows | undefined;
  /** The input whose keys are being read. They may take several lines. */
  let input: ReadInput | undefined;
  /**
   * Up to the last event or complete input. A killed run may leave a part of its keys: nothing was sent.
   * The size is in bytes. The last line may be complete except for its line end.
   */
  let complete = { size: 0, chain, lacksLineEnd: false };
  /** The ids of all records that the batch created; empty for a batch that changes records. */
  const createdIds = new Set<string>();
  for await (const { bytes, position, hasEnd } of lines) {
    if (!hasEnd && header && !isComplete(path, bytes, chain.line + 1)) break;
    if (!header && !bytes.subarray(0, firstBytes.length).equals(firstBytes)) {
      throw notAJournal(path);
    }
    const next = chain.with(bytes);
    if (!next) throw damaged(path, chain.line + 1, 'its checksum does not match');
    chain = next;
    // The checksum shows that mar wrote this line, so it has the right form.
    const value = JSON.parse(bytes.toString());
    if (header) onLine?.(value, position);
    else header = readHeader(path, value);
    // The input was edited: events that follow name its rows. Lines that follow may have more keys.
    const isNewInput = value === header || value.event === 'input';
    if (isNewInput) input = { facts: value, keys: [] };
    if (input) {
      const { facts, keys } = input;
      keys.push(...readKeys(value.keys));
      if (keys.length < facts.rows) continue;
      known = knownRows(header, input, known);
      input = undefined;
    } else {
      const event: JournalEvent = value;
      const state = stateAfter(event);
      known?.states.set(event.row, state, position);
      if (isCreate(header) && state === 'done' && event.id) createdIds.add(event.id);
    }
    const size = position + bytes.length + (hasEnd ? 1 : 0);
    complete = { size, chain, lacksLineEnd: !hasEnd };
  }
  if (!header) throw usageError(`the journal ${path} is empty`, hintForDamage);
  if (!known) throw damaged(path, chain.line, 'lines are missing after it');
  return { ...known, ...complete, path, header, createdIds };
}

const isCreate = ({ command }: JournalHeader) => command.startsWith('POST ');

function readHeader(path: string, header: JournalHeader): JournalHeader {
  if (header.version <= journalVersion) return header;
  const problem = `the journal ${path} was written by a newer version of mar`;
  throw usageError(problem, 'Nothing was sent. Update mar.');
}

interface ReadInput {
  facts: InputFacts;
  keys: string[];
}

function knownRows(header: JournalHeader, { facts, keys }: ReadInput, earlier?: KnownRows) {
  const { rows, hash, at, format = earlier?.format } = facts;
  const { states, removed } = matchRows(parseShard(header.shard), keys, earlier);
  // A record is created once. A write by id may have been replaced by the row that came after it.
  const isKept = ({ state }: RemovedRow) =>
    isCreate(header) || (state !== 'done' && state !== 'unchanged');
  return { rows, hash, format, at, keys, states, removed: removed.filter(isKept) };
}

/**
 * A killed run may leave part of a line. Its row was not sent, since that waits until the line is
 * on the disk. A complete line followed by other bytes was damaged later.
 */
function isComplete(path: string, bytes: Buffer, line: number): boolean {
  // With its number, since a replaced value may have a field of this name.
  const end = new RegExp(`,"seq":${line},"crc":"[\\da-f]{8}"\\}`);
  const seal = end.exec(bytes.toString('latin1'));
  if (!seal) return false;
  if (seal.index + seal[0].length === bytes.length) return true;
  throw damaged(path, line, 'its line break is missing');
}

async function* linesOf(handle: FileHandle): AsyncGenerator<Line> {
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
  }
  if (pending.length > 0) yield { bytes: pending, position, hasEnd: false };
}

export const notAJournal = (path: string) =>
  usageError(
    `${path} is not a journal of mar`,
    onCommandLine('Use another file with --journal FILE.'),
  );

const damaged = (path: string, line: number, why: string): MarError =>
  usageError(`the journal ${path} is damaged at line ${line}: ${why}`, hintForDamage);

const hintForDamage = forPerson(
  'Nothing was sent. Restore the journal from a backup: only the journal shows which rows were sent. --again=all sends every row again.',
);

const firstReadBytes = 4 * 1024;

/** A journal that was replayed, and the positions of its lines. */
export type ReplayedLines = Pick<ReplayedJournal, 'path' | 'states'>;

/** Empty for a row without an event. */
export const latestEvent = (journal: ReplayedLines, row: number): Partial<JournalEvent> =>
  JSON.parse(latestLine(journal, row));

/** The change that a row was sent with, if its latest event has one. */
export const latestChange = (journal: ReplayedLines, row: number) =>
  changeIn(latestLine(journal, row));

function latestLine({ path, states }: ReplayedLines, row: number): string {
  const position = states.positionOf(row);
  return position === 0 ? '{}' : lineAt(path, position);
}

/** The hash of the input that a journal was started with. */
export const firstHash = (path: string): string | undefined =>
  orUndefined(() => JSON.parse(lineAt(path, 0)).hash);

export const changeAt = (path: string, position: number) => changeIn(lineAt(path, position));

function changeIn(line: string): RecordChange | undefined {
  if (!line.includes('"change":')) return undefined;
  const change = (parseJson(line) as JsonObject).get('change');
  return isObject(change) ? readChange(change) : undefined;
}

function lineAt(path: string, position: number): string {
  try {
    return withRegularFile(path, constants.O_RDONLY, (file) => {
      for (let length = firstReadBytes; ; length *= 2) {
        const buffer = Buffer.alloc(length);
        const bytes = buffer.subarray(0, readSync(file, buffer, { position }));
        const end = bytes.indexOf('\n');
        if (end >= 0) return bytes.toString('utf8', 0, end);
        if (bytes.length < length) return bytes.toString();
      }
    });
  } catch (error) {
    const place = `the line at byte ${position} of the journal ${path}`;
    throw new MarError('service', `cannot read ${place}: ${readReason(error)}`, { cause: error });
  }
}
