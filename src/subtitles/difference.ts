import { inOrder, type Line } from './lines.ts';
import { type Span, textOf, withoutEmptyLines } from './spans.ts';
import { tagged } from './tagged.ts';

/** What became of a line. */
export interface Change {
  /** Undefined of a line that is new. */
  before?: Line;
  /** Undefined of a line that is gone. */
  after?: Line;
  isRetimed: boolean;
  isReworded: boolean;
}

interface Pair {
  before: number;
  after: number;
}

/**
 * What was done to lines. Those that are the same stay where they are; of the others, those with the
 * same words belong together, and of what is left between them, those that are shown at the same time.
 */
export function changesBetween(before: readonly Line[], after: readonly Line[]): Change[] {
  const changes = between(inOrder(before).lines, inOrder(after).lines, sameKey, (old, now) =>
    between(old, now, wordsOf, pairedByTime),
  );
  return changes.filter((change) => {
    const { before: from, after: to, isRetimed, isReworded } = change;
    return !from || !to || isRetimed || isReworded;
  });
}

/** Pairs of lines with the same key, and what becomes of the lines in between. */
function between(
  old: readonly Line[],
  now: readonly Line[],
  keyOf: (line: Line) => string,
  rest: (old: readonly Line[], now: readonly Line[]) => Change[],
): Change[] {
  const end: Pair = { before: old.length, after: now.length };
  const changes: Change[] = [];
  let last: Pair = { before: -1, after: -1 };
  for (const anchor of [...longestRun(old.map(keyOf), now.map(keyOf)), end]) {
    const gone = old.slice(last.before + 1, anchor.before);
    const added = now.slice(last.after + 1, anchor.after);
    if (gone.length > 0 || added.length > 0)
      for (const change of rest(gone, added)) changes.push(change);
    const [from, to] = [old[anchor.before], now[anchor.after]];
    if (from && to) changes.push(changeOf(from, to));
    last = anchor;
  }
  return changes;
}

const sameKey = (line: Line) => `${timeOf(line.start)} ${timeOf(line.stop)} ${wordsOf(line)}`;

/** However it is written: SRT has a comma where WebVTT has a dot. */
const timeOf = ({ milliseconds, text }: Line['start']) => milliseconds ?? text;

/** The words as they look, in a form in which every format can hold them. */
export const wordsOf = ({ spans }: Line): string =>
  tagged(withoutEmptyLines(spans.map(withoutRuby)), ({ text }) => text);

const withoutRuby = (span: Span): Span => {
  const { ruby, ...rest } = span;
  return ruby === undefined ? span : { ...rest, text: textOf([span]) };
};

function changeOf(before: Line, after: Line): Change {
  return {
    before,
    after,
    isRetimed:
      timeOf(before.start) !== timeOf(after.start) || timeOf(before.stop) !== timeOf(after.stop),
    isReworded: wordsOf(before) !== wordsOf(after),
  };
}

/** Of words that are there very often only the nearest places are tried. */
const mostTried = 32;

/** The longest run of equal keys in both, by Hunt and Szymanski: most lines are there only once. */
function longestRun(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map<string, number[]>();
  for (const [index, words] of after.entries()) {
    const found = places.get(words);
    if (found) found.push(index);
    else places.set(words, [index]);
  }
  type Node = Pair & { previous: Node | undefined };
  const ends: Node[] = [];
  for (const [index, words] of before.entries()) {
    for (const place of nearest(places.get(words) ?? [], index)) {
      const length = firstAtLeast(ends.length, (at) => (ends[at] as Node).after >= place);
      if (ends[length]?.after === place) continue;
      ends[length] = { before: index, after: place, previous: ends[length - 1] };
    }
  }
  const pairs: Pair[] = [];
  for (let node = ends.at(-1); node; node = node.previous) pairs.push(node);
  return pairs.reverse();
}

/** From the last to the first, so that one line is never taken twice. */
function nearest(places: readonly number[], index: number): number[] {
  const first = index - mostTried / 2;
  const from = firstAtLeast(places.length, (at) => (places[at] as number) >= first);
  const tried = places.length <= mostTried ? places : places.slice(from, from + mostTried);
  return tried.toReversed();
}

function firstAtLeast(length: number, isEnough: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lines that are shown at the same time as very many others are compared with so many of them. */
const maxCompared = 500;

/** Other words in the place of the old: shown at the same time, for half of it at least. */
function pairedByTime(gone: readonly Line[], added: readonly Line[]): Change[] {
  const changes: Change[] = [];
  const candidates = candidatesAmong(added);
  let next = 0;
  const addNew = (end: number) => {
    for (const line of added.slice(next, end)) changes.push(asNew(line));
    next = end;
  };
  for (const line of gone) {
    const { first, end } = candidates(line, next);
    let found = first;
    while (found < end && !isShownWith(line, added[found] as Line)) found += 1;
    if (found >= end) {
      changes.push({ before: line, isRetimed: false, isReworded: false });
      continue;
    }
    addNew(found);
    changes.push(changeOf(line, added[found] as Line));
    next = found + 1;
  }
  addNew(added.length);
  return changes;
}

/** Finds the part of the lines in which one that is shown at the same time can stand. */
function candidatesAmong(lines: readonly Line[]) {
  // The latest stop of all lines up to each one, and the earliest start of all from it on.
  const stops: number[] = [];
  const starts: number[] = [];
  let stop = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    stop = Math.max(stop, line.stop.milliseconds ?? Number.POSITIVE_INFINITY);
    stops.push(stop);
  }
  let start = Number.POSITIVE_INFINITY;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    start = Math.min(start, lines[index]?.start.milliseconds ?? Number.NEGATIVE_INFINITY);
    starts[index] = start;
  }
  return ({ start, stop }: Line, next: number) => {
    const from = start.milliseconds ?? Number.NEGATIVE_INFINITY;
    const to = stop.milliseconds ?? Number.POSITIVE_INFINITY;
    const first = firstAtLeast(lines.length, (at) => (stops[at] as number) >= from);
    const end = firstAtLeast(lines.length, (at) => (starts[at] as number) > to);
    const begin = Math.max(first, next);
    return { first: begin, end: Math.min(end, begin + maxCompared) };
  };
}

const asNew = (after: Line): Change => ({ after, isRetimed: false, isReworded: false });

function isShownWith(one: Line, other: Line): boolean {
  const [from, to] = [one.start.milliseconds, one.stop.milliseconds];
  const [start, stop] = [other.start.milliseconds, other.stop.milliseconds];
  if (from === undefined || to === undefined || start === undefined || stop === undefined) {
    return one.start.text === other.start.text && one.stop.text === other.stop.text;
  }
  const common = Math.min(to, stop) - Math.max(from, start);
  return common * 2 >= Math.min(to - from, stop - start) && common >= 0;
}
