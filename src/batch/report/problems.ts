import type { RowProblem } from '../../errors.ts';
import { groupDigits } from '../../values/numbers.ts';

export type InvalidRows = Map<number, readonly RowProblem[]>;

/** Nobody reads more of them in one message. */
export const maxListedProblems = 100;

export const listProblems = (invalid: InvalidRows) => [...invalid.values()].flat();

export const messageOf = (problems: readonly RowProblem[]) =>
  problems.map(({ message }) => message).join('; ');

export function problemLines(
  invalid: InvalidRows,
  describe: (problem: RowProblem) => string,
): string[] {
  const problems = listProblems(invalid);
  const lines = problems.slice(0, maxListedProblems).map(describe);
  const more = problems.length - lines.length;
  if (more > 0)
    lines.push(`${groupDigits(more)} more; use --rejects FILE to write them all to a file`);
  return lines;
}
