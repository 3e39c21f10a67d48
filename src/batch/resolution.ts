import { usageError } from '../errors.ts';
import type { JournalEvent } from './journal/format.ts';
import type { RowStates } from './journal/states.ts';

/** What a person found out about an unknown row. */
export interface Resolution {
  row: number;
  as: 'created' | 'retry';
  id?: string;
}

/** `17=created`, `17=created:wr-9`, `17=retry`. */
export function parseResolution(text: string): Resolution {
  const [, row, decision = ''] = /^(\d{1,9})=(.*)$/s.exec(text) ?? [];
  const found = row === undefined ? undefined : parseDecision(decision);
  if (found) return { row: Number(row), ...found };
  throw usageError(
    `--resolve takes a row and what became of it, not "${text}"`,
    '--resolve 17=created, --resolve 17=created:wr-9 or --resolve 17=retry',
  );
}

export function parseDecision(text: string): Omit<Resolution, 'row'> | undefined {
  if (text === 'retry') return { as: 'retry' };
  const [, id] = /^created(?::(.+))?$/s.exec(text) ?? [];
  return text.startsWith('created') && (text === 'created' || id)
    ? { as: 'created', id }
    : undefined;
}

/** Only what nobody knows can be decided. */
export function checkResolvable(states: RowStates, rows: number, row: number): void {
  const state = states.get(row);
  if (state === 'unknown' || state === 'sending') return;
  if (row < 1 || row > rows) throw usageError(`there is no row ${row}: the input has ${rows}`);
  const known = state === 'left' ? 'it is not sent yet' : `it is ${state}`;
  throw usageError(`row ${row} is not unknown: ${known}`, 'nothing was decided, nothing was sent');
}

export const resolvedEvent = ({ row, as, id }: Resolution): Omit<JournalEvent, 'at'> => ({
  row,
  event: 'resolved',
  as,
  id,
});
