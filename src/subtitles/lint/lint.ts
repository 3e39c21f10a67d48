import { shownLines } from '../spans.ts';
import { type Checked, type Finding, type Rule, ruleNames } from './finding.ts';
import { language } from './language.ts';
import { numbers } from './numbers.ts';
import { durations, gaps, order, overlaps, timecodes } from './timing.ts';
import { emptiness, lineCounts, lineLengths, speeds, tags } from './words.ts';

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
