import { MarError } from '../errors.ts';
import { type Line, sortedByNumber, sortedWarning } from './lines.ts';
import type { Placement } from './placement.ts';
import { type Span, visibleLines, withoutEmptyLines } from './spans.ts';

/** A line that SRT and WebVTT can hold: it has text, and stops after it starts. */
export interface Cue {
  number: number;
  /** In milliseconds, like `stop`. */
  start: number;
  stop: number;
  spans: readonly Span[];
  placement: Placement;
}

/** Converts lines to cues in the order of their numbers. Empty lines are left out. */
export function toCues(
  lines: readonly Line[],
  { name, skipsBadTimes }: { name: string; skipsBadTimes: boolean },
) {
  const { lines: sorted, wasSorted } = sortedByNumber(lines);
  const warnings = wasSorted ? [sortedWarning(name)] : [];
  const untimed = sorted.filter((line) => timeProblem(line) !== undefined);
  if (untimed.length > 0) {
    if (!skipsBadTimes) throw badTimesError(name, untimed);
    warnings.push(`${name}: skipped because of invalid times: ${lineNames(untimed)}`);
  }
  const timed = sorted.filter((line) => timeProblem(line) === undefined);
  const empty = timed.filter(isEmpty);
  if (empty.length > 0) warnings.push(`${name}: skipped because empty: ${lineNames(empty)}`);
  const kept = timed.filter((line) => !isEmpty(line));
  const numbers = kept.map(({ number }) => number ?? -1).filter((number) => number >= 0);
  const isNumbered = new Set(numbers).size === kept.length;
  if (!isNumbered) {
    warnings.push(`${name}: some numbers are missing or duplicate; all lines are renumbered`);
  }
  const cues = kept.map(
    ({ number, start, stop, spans, placement }, index): Cue => ({
      number: isNumbered && number !== undefined ? number : index + 1,
      start: start.milliseconds ?? 0,
      stop: stop.milliseconds ?? 0,
      spans: withoutEmptyLines(spans),
      placement,
    }),
  );
  return { cues, warnings };
}

const isEmpty = ({ spans }: Line) => visibleLines(spans).every((line) => line.trim() === '');

export function timeProblem({ start, stop }: Line): string | undefined {
  if (start.problem !== undefined) return `start time ${quoted(start.text)}${start.problem}`;
  if (stop.problem !== undefined) return `stop time ${quoted(stop.text)}${stop.problem}`;
  const [from, to] = [start.milliseconds ?? 0, stop.milliseconds ?? 0];
  if (to === from) return `start and stop time are both ${start.text}`;
  return to < from ? `stop time ${stop.text} is before start time ${start.text}` : undefined;
}

const quoted = (text: string) => (text === '' ? '' : `"${text}" `);

const maxNamed = 5;

/** `lines 3, 4 and entry 7`: a line without a number is named by its place. */
function lineNames(lines: readonly Line[]): string {
  const first = lines.slice(0, maxNamed);
  const numbers = first.flatMap(({ number }) => number ?? []);
  const places = first.flatMap(({ number, place }) => (number === undefined ? place : []));
  const parts = [
    numberList(numbers, 'line', 'lines'),
    numberList(places, 'entry', 'entries'),
    lines.length > maxNamed ? `${lines.length - maxNamed} more` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

const numberList = (numbers: readonly number[], one: string, several: string) =>
  numbers.length === 0 ? '' : `${numbers.length === 1 ? one : several} ${numbers.join(', ')}`;

function badTimesError(name: string, untimed: readonly Line[]): MarError {
  const [first] = untimed as [Line];
  const others = untimed.length > 1 ? ` (and ${untimed.length - 1} more lines)` : '';
  return new MarError(
    'service',
    `${name}: ${lineNames([first])} has an invalid time: ${timeProblem(first)}${others}`,
    {
      hint: 'Use --skip-bad-times to leave out such lines, or export as txt, csv or json.',
    },
  );
}
