import { groupDigits, plural } from '../values/counts.ts';
import type { RowStates } from './journal/states.ts';

/** How far a batch came. */
export interface Summary {
  rows: number;
  done: number;
  failed: number;
  unknown: number;
  invalid: number;
  /** Under way, in a run that is not over. */
  sending: number;
  /** Not sent yet. */
  left: number;
}

export function summarise(rows: number, states: RowStates): Summary {
  const done = states.count('done');
  const failed = states.count('failed');
  const unknown = states.count('unknown');
  const invalid = states.count('invalid');
  const sending = states.count('sending');
  const settled = done + failed + unknown + invalid + sending;
  return { rows, done, failed, unknown, invalid, sending, left: rows - settled };
}

export const rowCount = (count: number) => plural(count, 'row');

/** `3 done, 1 failed`: what there is of each. */
export function describe(summary: Summary): string {
  const { done, failed, unknown, invalid, sending, left } = summary;
  const parts = [
    `${groupDigits(done)} done`,
    failed > 0 && `${groupDigits(failed)} failed`,
    unknown > 0 && `${groupDigits(unknown)} unknown`,
    invalid > 0 && `${groupDigits(invalid)} invalid`,
    sending > 0 && `${groupDigits(sending)} under way`,
    left > 0 && `${groupDigits(left)} left`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** `3, 5, 8 and 120 more`. */
export function listRows(rows: Iterable<number>, most = 10): string {
  const all = [...rows];
  const more = all.length > most ? ` and ${groupDigits(all.length - most)} more` : '';
  return `${all.slice(0, most).join(', ')}${more}`;
}
