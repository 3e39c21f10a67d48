import { type EndpointId, endpoints } from '../../../core/api/endpoints.ts';
import { forPerson, onCommandLine, usageError } from '../../../core/errors.ts';
import type { LogKind } from '../../../core/log/logFile.ts';
import type { SheetChoice } from '../../../core/rows/row.ts';
import { keyLength } from '../../../core/rows/rowKey.ts';
import type { RowState } from './rowStates.ts';

export const journalKind: LogKind = {
  noun: 'journal',
  version: 1,
  start: '{"journal":"mar"',
  repair: forPerson(
    'Nothing was sent. Restore the journal from a backup: only the journal shows which rows were sent. --again=all sends every row again.',
  ),
  replace: onCommandLine('Use another file with --journal FILE.'),
};

/** How journals name the command that an endpoint belongs to: `POST /workrequests`. */
export const commandOf = (id: EndpointId) => `${endpoints[id].method} ${endpoints[id].path}`;

export const endpointOf = (command: string): EndpointId | undefined =>
  (Object.keys(endpoints) as EndpointId[]).find((id) => commandOf(id) === command);

/** The facts that must be the same for a batch to be resumed. */
export interface Binding extends SheetChoice {
  command: string;
  baseUrl: string;
  account: string;
  changes: readonly string[];
  shard: string;
  /** The `id` of the journal that this batch undoes. */
  undoOf?: string;
}

/** The facts of one version of an input. */
export interface InputFacts {
  rows: number;
  /** The hash of all keys in the order of the rows. */
  hash: string;
  /** When a run first used this version. */
  at: string;
  gone?: readonly GoneOrder[];
}

/** An order that was placed from an earlier version, and that no row stands for any more. */
export interface GoneOrder {
  id?: string | undefined;
  /** Empty if it is not known. */
  place: string;
  due?: string | undefined;
  message: string;
}

export const goneText = 'no longer in the sheet, but ordered';

export interface JournalHeader extends Binding, InputFacts {
  journal: 'mar';
  version: number;
  /** No other journal has it, not even a later one with the same name. */
  id: string;
  input: string;
  keys: string;
}

export interface JournalEvent {
  row: number;
  event:
    | 'sending'
    | 'unchanged'
    | 'changed'
    | 'invalid'
    | 'conflict'
    | 'done'
    | 'failed'
    | 'unknown'
    | 'unsent'
    | 'resolved';
  at: string;
  id?: string;
  status?: number;
  message?: string;
  as?: 'created' | 'retry';
}

export function stateAfter({ event, as }: Omit<JournalEvent, 'at'>): RowState {
  if (event === 'unsent') return 'pending';
  if (event === 'resolved') return as === 'created' ? 'done' : 'pending';
  return event;
}

/** The line of a version of the input: JSON without its closing brace. */
export const inputLine = (facts: object, keys: readonly string[]): string =>
  JSON.stringify({ ...facts, keys: keys.join('') }).slice(0, -1);

export const readKeys = (joined: string): string[] =>
  Array.from({ length: joined.length / keyLength }, (_, index) =>
    joined.slice(index * keyLength, (index + 1) * keyLength),
  );

const bindingFacts = (binding: Binding): [what: string, fact: string][] => [
  ['command', binding.command],
  ['service', binding.baseUrl],
  ['account', binding.account],
  ['--shard', binding.shard],
  ['undo', binding.undoOf ? 'yes' : 'no'],
  ['--encoding', binding.encoding ?? 'none'],
  ['--sheet', binding.sheet ?? 'none'],
  ['--hidden', binding.hidden ?? 'none'],
  ['--like, --set and --unset', binding.changes.join(' ') || 'none'],
];

/** Refuses to resume a batch that was started differently: rows might be sent twice. */
export function checkBinding(journal: string, header: JournalHeader, now: Binding): void {
  const before = new Map(bindingFacts(header));
  const changed = bindingFacts(now)
    .filter(([what, fact]) => fact !== before.get(what))
    .map(([what, fact]) => `${what}: was ${before.get(what)}, now ${fact}`);
  if (changed.length === 0) return;
  throw usageError(
    [`the journal ${journal} belongs to a different batch`, ...changed].join('\n'),
    onCommandLine(
      'Nothing was sent. Give this batch a journal of its own, --journal NAME.mar-journal, and put new rows in a separate file.',
    ),
  );
}
