import type { RowProblem } from '../../errors.ts';
import { latestEvent, type ReplayedLines } from '../journal/replay.ts';

export type InvalidRows = Map<number, readonly RowProblem[]>;

/** Nobody reads more of them in one message. */
export const maxListedProblems = 100;

export const listProblems = (invalid: InvalidRows) => [...invalid.values()].flat();

export const messageOf = (problems: readonly RowProblem[]) =>
  problems.map(({ message }) => message).join('; ');

export interface ReportLine {
  row: number;
  state: string;
  id?: string;
  message?: string;
}

/**
 * The rows of all journals, which have the same input, in its order. With `hasAll`, those of other
 * shards are pending.
 */
export function* reportLines(
  journals: readonly ReplayedLines[],
  { hasAll = false } = {},
): Generator<ReportLine> {
  for (let row = 1; row <= (journals[0]?.states.rows ?? 0); row += 1) {
    const journal = journals.find(({ states }) => states.get(row) !== 'elsewhere');
    if (journal) {
      const { id, message } = latestEvent(journal, row);
      yield { row, state: journal.states.get(row), id, message };
    } else if (hasAll) yield { row, state: 'pending' };
  }
}
