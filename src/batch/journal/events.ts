import type { RowState } from './states.ts';

/** What a journal is bound to: a batch is only gone on with where all of it is the same. */
export interface Binding {
  command: string;
  origin: string;
  account: string;
  /** `--set` and the like, which every row goes through. */
  changes: readonly string[];
  /** `1/4`: the slice of the rows. */
  shard: string;
  /** The input's content. */
  sha256: string;
}

/** The first line of a journal. */
export interface JournalHeader extends Binding {
  journal: 'mar';
  version: 1;
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

const eventNames: ReadonlySet<unknown> = new Set([
  'sending',
  'done',
  'failed',
  'unknown',
  'unsent',
  'resolved',
]);

export function isEvent(value: unknown): value is JournalEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { row, event } = value as Partial<JournalEvent>;
  return Number.isSafeInteger(row) && eventNames.has(event);
}

export function isHeader(value: unknown): value is JournalHeader {
  if (typeof value !== 'object' || value === null) return false;
  const { journal, version } = value as Partial<JournalHeader>;
  return journal === 'mar' && version === 1;
}
