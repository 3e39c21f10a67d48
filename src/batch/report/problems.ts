import type { RowProblem } from '../../errors.ts';
import { groupDigits, rowRanges } from '../../values/numbers.ts';
import { sanitise } from '../../values/sanitise.ts';

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
  const all = listProblems(invalid);
  const byCause = new Map<string, RowProblem[]>();
  const causeOf = ({ cause, message }: RowProblem) => cause ?? message;
  for (const problem of all) {
    const same = byCause.get(causeOf(problem));
    if (same) same.push(problem);
    else byCause.set(causeOf(problem), [problem]);
  }
  const isShared = (problem: RowProblem) => (byCause.get(causeOf(problem))?.length ?? 0) > 1;
  const problems = all.filter((problem) => !isShared(problem));
  // They quote cells, whose line breaks would start lines of their own.
  const lines = problems.slice(0, maxListedProblems).map((one) => sanitise(describe(one)));
  for (const [cause, same] of byCause) {
    if (same.length === 1) continue;
    const place = same[0]?.cell === undefined ? '' : ` (first in ${same[0].cell})`;
    lines.push(sanitise(`${rowRanges(same.map(({ row }) => row))}${place}: ${cause}`));
  }
  const more = problems.length - Math.min(problems.length, maxListedProblems);
  if (more > 0)
    lines.push(`${groupDigits(more)} more; use --rejects FILE to write them all to a file`);
  return lines;
}
