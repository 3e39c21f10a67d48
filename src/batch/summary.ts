import { grouped } from '../terminal/progress.ts';
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

export const plural = (count: number, noun = 'row') =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `3 done, 1 failed`: what there is of each. */
export function describe(summary: Summary): string {
  const { done, failed, unknown, invalid, sending, left } = summary;
  const parts = [
    `${grouped(done)} done`,
    failed > 0 && `${grouped(failed)} failed`,
    unknown > 0 && `${grouped(unknown)} unknown`,
    invalid > 0 && `${grouped(invalid)} invalid`,
    sending > 0 && `${grouped(sending)} under way`,
    left > 0 && `${grouped(left)} left`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** `3, 5, 8 and 120 more`. */
export function listRows(rows: Iterable<number>, most = 10): string {
  const all = [...rows];
  const more = all.length > most ? ` and ${grouped(all.length - most)} more` : '';
  return `${all.slice(0, most).join(', ')}${more}`;
}
