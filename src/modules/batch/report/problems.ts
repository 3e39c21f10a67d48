import type { RowProblem } from '../../../core/errors.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { groupDigits, rowRanges } from '../../../core/values/numbers.ts';
import { sanitise } from '../../../core/values/sanitise.ts';

export type InvalidRows = Map<number, readonly RowProblem[]>;

/** Nobody reads more of them in one message. */
export const maxListedProblems = 100;

export const listProblems = (invalid: InvalidRows) => [...invalid.values()].flat();

/** The rows of an error, for programs. Its hints have the advice for them. */
export const rowFacts = (problems: readonly RowProblem[]) =>
  problems.slice(0, maxListedProblems).map(({ hint: _, rests: _rests, ...facts }) => facts);

export const messageOf = (problems: readonly RowProblem[]) =>
  problems.map(({ message }) => message).join('; ');

export function problemLines(
  invalid: InvalidRows,
  describe: (problem: RowProblem) => string,
): string[] {
  const groups = [...groupBy(listProblems(invalid), ({ cause, message }) => cause ?? message)];
  const single = groups.flatMap(([, same]) => (same.length === 1 ? same : []));
  // They quote cells, whose line breaks would start lines of their own.
  const lines = single.slice(0, maxListedProblems).map((one) => sanitise(describe(one)));
  for (const [cause, same] of groups.filter(([, { length }]) => length > 1)) {
    const place = same[0]?.cell === undefined ? '' : ` (first in ${same[0].cell})`;
    lines.push(sanitise(`${rowRanges(same.map(({ row }) => row))}${place}: ${cause}`));
  }
  const more = single.length - maxListedProblems;
  if (more > 0)
    lines.push(`${groupDigits(more)} more; use --rejects FILE to write them all to a file`);
  return lines;
}
