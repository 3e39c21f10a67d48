import { MarError } from '../errors.ts';
import { inOrder, type Line, movedWarning } from './lines.ts';
import type { Placement } from './placement.ts';
import { type Span, shownLines, withoutEmptyLines } from './spans.ts';

/** A line that can be shown: text, from when, until when. */
export interface Cue {
  number: number;
  start: number;
  stop: number;
  spans: readonly Span[];
  placement: Placement;
}

export interface Cues {
  cues: readonly Cue[];
  /** What the reader of the file should know. */
  warnings: readonly string[];
}

export interface CueOptions {
  /** For the warnings: the work request. */
  name: string;
  /** Leaves out what cannot be timed, in place of refusing all of it. */
  skipsBadTimes: boolean;
}

/**
 * The lines as cues of SRT and WebVTT, in the order of their numbers. Neither can hold a cue without
 * a time, one that ends before it begins, or one without text.
 */
export function cuesOf(lines: readonly Line[], { name, skipsBadTimes }: CueOptions): Cues {
  const { lines: ordered, moved } = inOrder(lines);
  const warnings = moved ? [movedWarning(name)] : [];
  const untimed = ordered.filter((line) => timeProblem(line) !== undefined);
  if (untimed.length > 0 && !skipsBadTimes) throw cannotBeTimed(name, untimed);
  const left = new Set(untimed);
  const empty = ordered.filter((line) => !left.has(line) && isEmpty(line));
  if (untimed.length > 0) {
    warnings.push(`${name}: left out for their times: ${namesOf(untimed)}`);
  }
  if (empty.length > 0) warnings.push(`${name}: left out, since empty: ${namesOf(empty)}`);
  for (const line of empty) left.add(line);
  const kept = ordered.filter((line) => !left.has(line));
  const isNumbered = haveNumbers(kept);
  if (!isNumbered) {
    warnings.push(`${name}: lines without a number or with the same one: numbered anew`);
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

const isEmpty = ({ spans }: Line) => shownLines(spans).every((line) => line.trim() === '');

/** What keeps a line from being shown at its time. */
export function timeProblem({ start, stop }: Line): string | undefined {
  if (start.problem !== undefined) return `its start ${quoted(start.text)}${start.problem}`;
  if (stop.problem !== undefined) return `its stop ${quoted(stop.text)}${stop.problem}`;
  const [from, to] = [start.milliseconds ?? 0, stop.milliseconds ?? 0];
  if (to === from) return `it starts and stops at ${start.text}`;
  return to < from ? `it stops (${stop.text}) before it starts (${start.text})` : undefined;
}

const quoted = (text: string) => (text === '' ? '' : `"${text}" `);

/** Whether each has a number of its own. */
function haveNumbers(lines: readonly Line[]): boolean {
  const numbers = lines.flatMap(({ number }) => (number === undefined || number < 0 ? [] : number));
  return numbers.length === lines.length && new Set(numbers).size === numbers.length;
}

const most = 5;

/** `lines 3, 4 and entry 7`: a line without a number is named by its place. */
function namesOf(lines: readonly Line[]): string {
  const first = lines.slice(0, most);
  const numbers = first.flatMap(({ number }) => number ?? []);
  const places = first.flatMap(({ number, place }) => (number === undefined ? place : []));
  const parts = [
    listed(numbers, 'line', 'lines'),
    listed(places, 'entry', 'entries'),
    lines.length > most ? `${lines.length - most} more` : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

const listed = (numbers: readonly number[], one: string, several: string) =>
  numbers.length === 0 ? '' : `${numbers.length === 1 ? one : several} ${numbers.join(', ')}`;

function cannotBeTimed(name: string, untimed: readonly Line[]): MarError {
  const [first] = untimed as [Line];
  const others = untimed.length > 1 ? `, and ${untimed.length - 1} more like it` : '';
  return new MarError(
    'service',
    `${name}: ${namesOf([first])} has no usable time: ${timeProblem(first)}${others}`,
    {
      hint:
        'SRT and WebVTT cannot hold it: --skip-bad-times leaves such lines out; txt, csv and json ' +
        'take them as they are',
    },
  );
}
