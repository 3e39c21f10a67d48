import { isInShard, parseShard, type Shard } from '../shard.ts';
import { maxRows, type RowState } from './states.ts';

/** What a journal is bound to: a batch is only gone on with where all of it is the same. */
export interface Binding {
  command: string;
  origin: string;
  /** The whole address. Journals of version 1 have the origin alone. */
  baseUrl?: string;
  account: string;
  /** `--set` and the like, which every row goes through. */
  changes: readonly string[];
  /** `1/4`: the slice of the rows. */
  shard: string;
  /** The input's content. */
  sha256: string;
}

/** The version that is written. Version 1 has no checksums, and is still read and added to. */
export const journalVersion = 2;

/** The first line of a journal. */
export interface JournalHeader extends Binding {
  journal: 'mar';
  version: 1 | typeof journalVersion;
  /** The input's name, for people. */
  input: string;
  rows: number;
  at: string;
}

/** One line of a journal. */
export interface JournalEvent {
  row: number;
  event: 'sending' | 'done' | 'failed' | 'unknown' | 'unsent' | 'resolved';
  at: string;
  /** Of the record that came of it. */
  id?: string;
  status?: number;
  message?: string;
  /** What a person found out about an unknown row. */
  as?: 'created' | 'retry';
}

export function stateAfter({ event, as }: Omit<JournalEvent, 'at'>): RowState {
  if (event === 'unsent') return 'left';
  if (event === 'resolved') return as === 'created' ? 'done' : 'left';
  return event;
}

const outcomes: ReadonlySet<unknown> = new Set(['done', 'failed', 'unknown', 'unsent']);

/** Whether an event can happen to a row in this state: each intent has one outcome. */
export function canFollow(state: RowState, { event }: JournalEvent): boolean {
  if (event === 'sending') return state === 'left' || state === 'failed';
  if (event === 'resolved') return state === 'sending' || state === 'unknown';
  return state === 'sending';
}

/** Whether a line tells of a row that the batch has. */
export function isEvent(value: unknown, rows: number, shard: Shard): value is JournalEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { row, event, at, id, status, message, as } = value as Record<string, unknown>;
  if (!isCount(row) || row < 1 || row > rows || !isInShard(row, shard)) return false;
  const isResolved = event === 'resolved' && (as === 'created' || as === 'retry');
  if (event !== 'sending' && !isResolved && !outcomes.has(event)) return false;
  return (
    typeof at === 'string' &&
    [id, message].every((text) => text === undefined || typeof text === 'string') &&
    (status === undefined || typeof status === 'number')
  );
}

export function isHeader(value: unknown): value is JournalHeader {
  if (typeof value !== 'object' || value === null) return false;
  const header = value as Record<string, unknown>;
  const { journal, version, rows, changes, baseUrl } = header;
  const texts = ['command', 'origin', 'account', 'shard', 'sha256', 'input', 'at'];
  return (
    journal === 'mar' &&
    (version === 1 || (version === journalVersion && typeof baseUrl === 'string')) &&
    texts.every((name) => typeof header[name] === 'string') &&
    isCount(rows) &&
    rows <= maxRows &&
    Array.isArray(changes) &&
    changes.every((change) => typeof change === 'string') &&
    isShard(String(header.shard))
  );
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

function isShard(text: string): boolean {
  try {
    parseShard(text);
    return true;
  } catch {
    return false;
  }
}
