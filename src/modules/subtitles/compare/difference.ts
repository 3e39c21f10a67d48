import { type Line, sortedByNumber, startOf } from '../line.ts';
import { plainText, taggedText, withoutEmptyLines } from '../spans.ts';

export interface Change {
  /** `added` (no `before`), `removed` (no `after`), `re-timed`, `re-worded`, both of these, or empty. */
  kind: string;
  before?: Line;
  after?: Line;
}

type Pair = Record<'before' | 'after', number>;

/**
 * Compares two translations in three steps: lines that are the same in both are matched first, then
 * lines with the same text, then the remaining lines that are shown at the same time.
 */
export function pairsBetween(before: readonly Line[], after: readonly Line[]): Change[] {
  const [old, now] = [sortedByNumber(before), sortedByNumber(after)];
  return matchByKey(old, now, timesAndText, (oldGap, newGap) =>
    matchByKey(oldGap, newGap, comparableText, matchByTime),
  );
}

export const changesBetween = (before: readonly Line[], after: readonly Line[]): Change[] =>
  pairsBetween(before, after).filter(({ kind }) => kind !== '');

/** Pairs lines with the same key, and calls `matchGap` for the lines between two pairs. */
function matchByKey(
  old: readonly Line[],
  now: readonly Line[],
  keyOf: (line: Line) => string,
  matchGap: (old: readonly Line[], now: readonly Line[], shift: number) => Change[],
): Change[] {
  const end: Pair = { before: old.length, after: now.length };
  const changes: Change[] = [];
  let last: Pair = { before: -1, after: -1 };
  for (const pair of [...longestCommonRun(old.map(keyOf), now.map(keyOf)), end]) {
    const oldGap = old.slice(last.before + 1, pair.before);
    const newGap = now.slice(last.after + 1, pair.after);
    const [from, to] = [old[pair.before], now[pair.after]];
    const [start = from, newStart = to] = [old[last.before], now[last.after]];
    const shift = start && newStart ? startOf(newStart) - startOf(start) : 0;
    // Between two lines that moved alike, the others did, too.
    const next = from && to ? startOf(to) - startOf(from) : shift;
    const isMoved = Math.abs(shift - next) < maxDrift;
    for (const change of matchGap(oldGap, newGap, isMoved ? shift : 0)) changes.push(change);
    if (from && to) changes.push(changeOf(from, to));
    last = pair;
  }
  return changes;
}

const timesOf = ({ start, stop }: Line) => `${timeOf(start)} ${timeOf(stop)}`;
const timesAndText = (line: Line) => `${timesOf(line)} ${comparableText(line)}`;

/** Milliseconds, because SRT writes a comma where WebVTT writes a dot. */
const timeOf = ({ milliseconds, text }: Line['start']) => milliseconds ?? text;

/** Reduces the text to what every format can hold, so that a line equals its own export. */
export const comparableText = ({ spans }: Line): string =>
  taggedText(withoutEmptyLines(spans), (span) => plainText([span]));

function changeOf(before: Line, after: Line): Change {
  const kinds = [
    timesOf(before) !== timesOf(after) && 're-timed',
    comparableText(before) !== comparableText(after) && 're-worded',
  ];
  return { kind: kinds.filter(Boolean).join(', '), before, after };
}

/** Finds the longest common subsequence by Hunt and Szymanski: most lines occur only once. */
function longestCommonRun(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map<string, number[]>(after.map((key) => [key, []]));
  for (const [index, key] of after.entries()) places.get(key)?.push(index);
  type Node = Pair & { previous: Node | undefined };
  const ends: Node[] = [];
  for (const [index, key] of before.entries()) {
    // Descending order keeps one line from being matched twice.
    for (const place of places.get(key)?.toReversed() ?? []) {
      const length = firstIndex(ends.length, (at) => (ends[at] as Node).after >= place);
      if (ends[length]?.after === place) continue;
      ends[length] = { before: index, after: place, previous: ends[length - 1] };
    }
  }
  const pairs: Pair[] = [];
  for (let node = ends.at(-1); node; node = node.previous) pairs.push(node);
  return pairs.reverse();
}

/** Binary search for the first index that passes; `length` if none does. */
function firstIndex(length: number, passes: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Pairs lines that are shown together for at least half of the shorter one's time. */
function matchByTime(removed: readonly Line[], added: readonly Line[], shift: number): Change[] {
  const changes: Change[] = [];
  const overlapping = overlapFinder(added);
  let next = 0;
  for (const line of removed) {
    const moved = { ...line, start: later(line.start, shift), stop: later(line.stop, shift) };
    const { first, end } = overlapping(moved, next);
    let found = first;
    while (found < end && !isShownWith(moved, added[found] as Line)) found += 1;
    if (found >= end) {
      changes.push({ kind: 'removed', before: line });
      continue;
    }
    for (const after of added.slice(next, found)) changes.push({ kind: 'added', after });
    changes.push(changeOf(line, added[found] as Line));
    next = found + 1;
  }
  for (const after of added.slice(next)) changes.push({ kind: 'added', after });
  return changes;
}

/** Lines that are not shown at the same speed drift. */
const maxDrift = 500;

const later = ({ text, milliseconds }: Line['start'], shift: number) => {
  return { text, milliseconds: milliseconds === undefined ? undefined : milliseconds + shift };
};

/** Finds the range of lines, from `next` on, that may be shown at the same time as a line. */
export function overlapFinder(lines: readonly Line[]) {
  const from = ({ start }: Line) => start.milliseconds ?? Number.NEGATIVE_INFINITY;
  const stopOf = ({ stop }: Line) => stop.milliseconds ?? Number.POSITIVE_INFINITY;
  // The latest stop of all lines up to each one, and the earliest start of all from it on.
  const stops = running(lines.map(stopOf), Math.max);
  const starts = running(lines.map(from).reverse(), Math.min).reverse();
  return (line: Line, next: number) => {
    const shown = firstIndex(lines.length, (at) => (stops[at] as number) >= from(line));
    const first = Math.max(next, shown);
    const end = firstIndex(lines.length, (at) => (starts[at] as number) > stopOf(line));
    return { first, end };
  };
}

function running(values: readonly number[], choose: (a: number, b: number) => number): number[] {
  let last = values[0] as number;
  return values.map((value) => {
    last = choose(last, value);
    return last;
  });
}

export function isShownWith(one: Line, other: Line): boolean {
  const [from, to] = [one.start.milliseconds, one.stop.milliseconds];
  const [start, stop] = [other.start.milliseconds, other.stop.milliseconds];
  if (from === undefined || to === undefined || start === undefined || stop === undefined) {
    return one.start.text === other.start.text && one.stop.text === other.stop.text;
  }
  const common = Math.min(to, stop) - Math.max(from, start);
  return common * 2 >= Math.min(to - from, stop - start) && common >= 0;
}
