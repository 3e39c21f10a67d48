import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { MarError, type RowProblem, usageError } from '../../errors.ts';
import { systemReason } from '../../files/systemReason.ts';
import { isSameFile } from '../journal/journalPaths.ts';
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

/** Refuses, before anything is sent, a file that cannot be written or would overwrite `ownFiles`. */
export function checkOutputPath(
  flag: '--report' | '--rejects',
  report: string,
  ownFiles: readonly string[],
): void {
  const facts = { flag, value: report };
  if (report === '' || report === '-') {
    const message = `${flag} needs a file name: standard output is for the result`;
    throw usageError(message, facts);
  }
  try {
    const own = ownFiles.find((file) => isSameFile(file, report));
    if (own !== undefined) throw usageError(`${flag} would overwrite ${own}`, facts);
    const found = statSync(report, { throwIfNoEntry: false });
    const notFile = (kind: string) =>
      usageError(`${flag} needs a file name, but there is a ${kind} at ${report}`, facts);
    if (found?.isDirectory()) throw notFile('folder');
    if (found?.isSocket()) throw notFile('socket');
    if (found?.isBlockDevice()) throw notFile('device');
    accessSync(found ? report : path.dirname(report), constants.W_OK);
  } catch (error) {
    if (error instanceof MarError) throw error;
    const problem = `cannot write the file of ${flag}, ${report}: ${systemReason(error)}`;
    throw usageError(problem, 'Nothing was sent.', facts);
  }
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
