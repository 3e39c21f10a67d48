import { MarError, onCommandLine } from '../../core/errors.ts';
import { pluralNoun } from '../../core/values/numbers.ts';
import { type Span, visibleLines, withoutEmptyLines } from './spans.ts';
import type { Timecode } from './timecode.ts';

/** Where a line stands on the picture. The default is the bottom, in the middle. */
export interface Placement {
  vertical?: 'top' | 'middle';
  horizontal?: 'left' | 'right';
}

export interface Line {
  /** Its position in the translation, or the line of the file where it starts; counted from 1. */
  place: number;
  number?: number;
  start: Timecode;
  stop: Timecode;
  spans: readonly Span[];
  tagProblems: readonly string[];
  /** The tags that are not closed, if no other is wrong. The first problems are about them. */
  closable?: readonly string[];
  /** Only of a work request: in a file it stays as it is. */
  placement?: Placement;
  /** For a file of text: the row of its times, and the row after its text; counted from 0. */
  rows?: { timing: number; end: number };
}

/** A line that a file can hold: it has text, and stops after it starts. */
export interface Cue {
  number: number;
  /** In milliseconds, like `stop`. */
  start: number;
  stop: number;
  spans: readonly Span[];
  placement: Placement;
}

/** The service does not document the values of these fields, so only unambiguous words count. */
export function readPlacement(alignment: unknown, textAlign: unknown): Placement {
  const [line, side] = [alignment, textAlign].map((word) =>
    typeof word === 'string' ? word.trim().toLowerCase() : '',
  );
  const isLeft = side === 'left' || side === 'start';
  const isRight = side === 'right' || side === 'end';
  return {
    vertical: line === 'top' || line === 'middle' ? line : undefined,
    horizontal: isLeft ? 'left' : isRight ? 'right' : undefined,
  };
}

export const startOf = ({ start }: Line) => start.milliseconds ?? 0;
export const stopOf = ({ stop }: Line) => stop.milliseconds ?? 0;

/** In milliseconds; undefined if one of the times cannot be read. */
export function durationOf(line: Line): number | undefined {
  if (line.start.problem !== undefined || line.stop.problem !== undefined) return undefined;
  return stopOf(line) - startOf(line);
}

/** The lines that have usable times. */
export const sortedByStart = <One extends Line>(lines: readonly One[]): One[] =>
  lines.filter((line) => (durationOf(line) ?? 0) > 0).sort((a, b) => startOf(a) - startOf(b));

/** Sorts lines by number, unless one has none. Lines that are in order are returned as they are. */
export function sortedByNumber(lines: readonly Line[]): readonly Line[] {
  if (lines.some(({ number }) => number === undefined)) return lines;
  const sorted = lines.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return sorted.some((line, index) => line !== lines[index]) ? sorted : lines;
}

export const sortedWarning = 'lines were out of order; sorted by number';

export interface CueOptions {
  skipsBadTimes: boolean;
  warn(message: string): void;
}

/** Converts lines to cues in the order of their numbers. Empty lines are left out. */
export function toCues(
  { name, lines }: { name: string; lines: readonly Line[] },
  { skipsBadTimes, warn }: CueOptions,
) {
  const sorted = sortedByNumber(lines);
  const untimed = sorted.filter((line) => timeProblem(line) !== undefined);
  if (untimed.length > 0 && !skipsBadTimes) throw badTimesError(name, untimed);
  const timed = sorted.filter((line) => timeProblem(line) === undefined);
  const empty = timed.filter(isEmpty);
  const kept = timed.filter((line) => !isEmpty(line));
  const numbers = kept.map(({ number }) => number ?? -1).filter((number) => number >= 0);
  const isNumbered = new Set(numbers).size === kept.length;
  const warnings = [
    sorted !== lines && sortedWarning,
    untimed.length > 0 && `skipped because of invalid times: ${lineNames(untimed)}`,
    empty.length > 0 && `skipped because empty: ${lineNames(empty)}`,
    !isNumbered && 'some numbers are missing or duplicate; all lines are renumbered',
  ];
  for (const warning of warnings) if (warning) warn(`${name}: ${warning}`);
  return kept.map(
    (line, index): Cue => ({
      number: (isNumbered ? line.number : undefined) ?? index + 1,
      start: startOf(line),
      stop: stopOf(line),
      spans: withoutEmptyLines(line.spans),
      placement: line.placement ?? {},
    }),
  );
}

const isEmpty = ({ spans }: Line) => visibleLines(spans).every((line) => line.trim() === '');

export function timeProblem(line: Line): string | undefined {
  const { start, stop } = line;
  if (start.problem !== undefined) return `start time ${quoted(start.text)}${start.problem}`;
  if (stop.problem !== undefined) return `stop time ${quoted(stop.text)}${stop.problem}`;
  const [from, to] = [startOf(line), stopOf(line)];
  if (to === from) return `start and stop time are both ${start.text}`;
  return to < from ? `stop time ${stop.text} is before start time ${start.text}` : undefined;
}

const quoted = (text: string) => (text === '' ? '' : `"${text}" `);

const maxNamed = 5;

/** `lines 3, 4, 7`: a line without a number is named by its place. */
function lineNames(lines: readonly Line[]): string {
  const names = lines.slice(0, maxNamed).map(({ number, place }) => number ?? place);
  const more = lines.length > maxNamed ? ` and ${lines.length - maxNamed} more` : '';
  return `${pluralNoun(lines.length, 'line')} ${names.join(', ')}${more}`;
}

function badTimesError(name: string, untimed: readonly Line[]): MarError {
  const [first] = untimed as [Line];
  const others = untimed.length > 1 ? ` (and ${untimed.length - 1} more lines)` : '';
  const problem = `${lineNames([first])} has an invalid time: ${timeProblem(first)}`;
  const hint = 'Use --skip-bad-times to leave out such lines, or export as csv or json.';
  return new MarError('service', `${name}: ${problem}${others}`, { hint: onCommandLine(hint) });
}
