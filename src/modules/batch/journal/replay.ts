import { constants, readSync } from 'node:fs';
import { orUndefined, usageError } from '../../../core/errors.ts';
import { withRegularFile } from '../../../core/files/regularFile.ts';
import { lineAt, readLines } from '../../../core/log/logFile.ts';
import { changeIn } from '../../../core/records/recordChange.ts';
import { parseShard } from '../shards.ts';
import {
  commandOf,
  type GoneOrder,
  type InputFacts,
  type JournalEvent,
  type JournalHeader,
  journalKind,
  readKeys,
  stateAfter,
} from './format.ts';
import { type KnownRows, matchRows, type RemovedRow } from './rowMatcher.ts';

export type ReplayedJournal = NonNullable<ReturnType<typeof replay>>;

/** Called with each line that follows the header: an event, or the keys of an edited input. */
export type OnLine = (value: unknown, position: number) => void;

export function replayExisting(path: string, onLine?: OnLine): ReplayedJournal {
  const replayed = replay(path, onLine);
  if (replayed) return replayed;
  throw usageError(`cannot find the journal ${path}`);
}

export const isJournal = (path: string): boolean =>
  orUndefined(() =>
    withRegularFile(path, constants.O_RDONLY, (file) => {
      const start = Buffer.alloc(journalKind.start.length);
      readSync(file, start);
      return start.toString() === journalKind.start;
    }),
  ) === true;

/** Returns undefined if there is no journal; throws for a damaged one. */
export function replay(path: string, onLine?: OnLine) {
  let header: JournalHeader | undefined;
  let known: KnownRows | undefined;
  /** The ids of all records that the batch created; empty for a batch that changes records. */
  const createdIds = new Set<string>();
  /** The orders of earlier versions that the last input has no rows for. */
  let gone: readonly GoneOrder[] = [];
  const read = (bytes: Buffer, position: number) => {
    // The checksum shows that mar wrote this line, so it has the right form.
    const value = JSON.parse(bytes.toString());
    if (header) onLine?.(value, position);
    header ??= value as JournalHeader;
    // If the input was edited, events that follow name its rows.
    if (value === header || value.event === 'input') {
      known = knownRows(header, value, known);
      gone = value.gone ?? [];
    } else {
      const event: JournalEvent = value;
      const state = stateAfter(event);
      known?.states.set(event.row, state, position);
      if (event.as === 'created') known?.states.retried.delete(event.row);
      else if (event.as === 'retry' && isOnce(header)) known?.states.retried.add(event.row);
      if (isOnce(header) && state === 'done' && event.id) createdIds.add(event.id);
    }
  };
  const lines = readLines(path, journalKind);
  let next = lines.next();
  for (; !next.done; next = lines.next()) read(next.value.bytes, next.value.position);
  const end = next.value;
  if (!end.file) return undefined;
  if (!header || !known) throw usageError(`the journal ${path} is empty`, journalKind.repair);
  return { ...known, path, end, header, createdIds, gone };
}

/** Its rows create records or notify people, so sending one twice does so twice. */
const isOnce = ({ command }: JournalHeader) =>
  command.startsWith('POST ') || command === commandOf('eventPut');

type InputLine = InputFacts & Pick<JournalHeader, 'keys'>;

function knownRows(header: JournalHeader, input: InputLine, earlier?: KnownRows) {
  const { rows, hash, at } = input;
  const keys = readKeys(input.keys);
  const { states, removed } = matchRows(parseShard(header.shard), keys, earlier);
  // A record is created once. A write by id may have been replaced by the row that came after it.
  const isKept = ({ state }: RemovedRow) =>
    isOnce(header) || (state !== 'done' && state !== 'unchanged');
  return { rows, hash, at, keys, states, removed: removed.filter(isKept) };
}

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

export const changeAt = (path: string, position: number) => changeIn(lineAt(path, position));
