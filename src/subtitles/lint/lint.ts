import { shownLines } from '../spans.ts';
import { about, type Checked, type Finding, type Rule, ruleNames } from './finding.ts';
import { emptiness, language, lineCounts, lineLengths, speeds, tags } from './text.ts';
import { durations, gaps, order, overlaps, timecodes } from './timing.ts';

const rules: readonly Rule[] = [
  timecodes,
  durations,
  order,
  overlaps,
  gaps,
  numbers,
  emptiness,
  tags,
  lineLengths,
  lineCounts,
  speeds,
  language,
];

/** All that is wrong with the lines, in the order in which they stand. */
export function lint(asked: Omit<Checked, 'shown'>): Finding[] {
  const checked = { ...asked, shown: asked.lines.map(({ spans }) => shownLines(spans)) };
  const findings = rules.flatMap((rule) => [...rule(checked)]);
  return findings.sort(
    (a, b) => a.place - b.place || ruleNames.indexOf(a.rule) - ruleNames.indexOf(b.rule),
  );
}

/** Numbers that are missing, double, or not one after the other. */
function* numbers({ lines, mayLackNumbers }: Checked): Generator<Finding> {
  const seen = new Set<number>();
  let last: number | undefined;
  for (const line of lines) {
    const { number } = line;
    if (number === undefined) {
      if (!mayLackNumbers) yield about(line, 'number', 'warning', 'has no number');
      continue;
    }
    if (seen.has(number)) yield about(line, 'number', 'error', `number ${number} was there before`);
    else if (last !== undefined && number < last) {
      yield about(line, 'order', 'error', `number ${number} comes after ${last}`);
    } else if (last !== undefined && number > last + 1) {
      yield about(line, 'number', 'warning', missing(last + 1, number - 1));
    }
    seen.add(number);
    last = number;
  }
}

const missing = (from: number, to: number) =>
  from === to
    ? `number ${from} is missing before it`
    : `numbers ${from} to ${to} are missing before it`;
