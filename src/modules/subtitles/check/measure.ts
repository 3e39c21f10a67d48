import { displayWidth, graphemes, isSimple } from '../../../core/values/width.ts';
import type { Limits } from './guideLimits.ts';

/* `check` measures and `fix` repairs with these functions, so both agree on every number. */

/** The width of a line of text, in the unit of `maxWidth`. */
export const widthOf = (text: string, { countsFullWidth }: Limits): number =>
  countsFullWidth ? displayWidth(text) / 2 : displayWidth(text);

/** Above the limit is a warning, since a little too fast may be fine; beyond this factor, an error. */
const errorFactor = 1.25;

/** The amount to read in a text, and the speed at which it is read if it is shown for some time. */
export function readingOf(visible: readonly string[], limits: Limits) {
  const { maxSpeed, maxWords, countsFullWidth } = limits;
  const count = countsFullWidth ? (text: string) => widthOf(text, limits) : characters;
  const amounts = [
    { max: maxSpeed, count, perSecond: 1, digits: 1, unit: 'characters per second' },
    { max: maxWords, count: wordCount, perSecond: 60, digits: 0, unit: 'words per minute' },
  ].flatMap(({ max, count: countIn, ...how }) =>
    max === undefined ? [] : { ...how, max, amount: sum(visible, countIn) },
  );
  return {
    /** The shortest time, in milliseconds, that is slow enough. */
    needed: Math.max(
      0,
      ...amounts.map(({ amount, max, perSecond }) =>
        Math.ceil(((amount * perSecond) / max) * 1000),
      ),
    ),
    /** `rate` is rounded, as messages show it. `level`: 0 is slow enough, 1 too fast, 2 much too fast. */
    speedsIn(milliseconds: number) {
      return amounts.map(({ amount, max, perSecond, unit, digits }) => {
        const exact = (amount * perSecond * 1000) / milliseconds;
        const rate = Number(exact.toFixed(digits));
        return { rate, max, unit, level: rate <= max ? 0 : exact > max * errorFactor ? 2 : 1 };
      });
    },
  };
}

const sum = (texts: readonly string[], count: (text: string) => number) =>
  texts.reduce((total, text) => total + count(text), 0);

/** Counts like a reader: an emoji is one character, and zero width is none. */
function characters(text: string): number {
  if (isSimple(text)) return text.length;
  return graphemes(text).filter(({ width }) => width > 0).length;
}

/** A text in a script without spaces counts as one word. */
const wordCount = (text: string) =>
  text.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word)).length;

export function durationProblem(
  duration: number,
  { minDuration = 0, maxDuration = Number.POSITIVE_INFINITY }: Limits,
): 'short' | 'long' | undefined {
  if (duration < minDuration) return 'short';
  return duration > maxDuration ? 'long' : undefined;
}

/** `open`: it should be closed to the minimum. */
export function gapProblem(
  gap: number,
  { minGap = 0, closedGaps, mayTouch }: Limits,
): 'short' | 'open' | undefined {
  if (gap < 0 || (gap === 0 && mayTouch)) return undefined;
  if (gap < minGap) return 'short';
  return closedGaps && gap >= closedGaps.from && gap <= closedGaps.to ? 'open' : undefined;
}

/** A part of a text and what it is replaced with. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

export const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => {
    return { from: index, to: index + length };
  });

const threeDots = /(?<!\.)\.{3}(?!\.)/g;
/** Spaces before it are not shown, but may stand in a file after a tag. */
const dashAtStart = /^[ \t]*[-‐‑–—−](?![-‐‑–—−\d])[ \u00a0]*(?=\S)/gmu;

/** The changes that the style of a guide asks for. None of them changes a word. */
export const styleEdits = {
  ellipsis: (text: string, { usesEllipsis }: Limits): Edit[] =>
    usesEllipsis && text.includes('...')
      ? matches(text, threeDots).map((part) => ({ ...part, text: '…' }))
      : [],
  spaces: (text: string, { usesSingleSpaces }: Limits): Edit[] =>
    usesSingleSpaces && text.includes('  ')
      ? matches(text, / {2,}/g).map((part) => ({ ...part, text: ' ' }))
      : [],
  dash(text: string, { dash }: Limits): Edit[] {
    if (dash === undefined || !text.includes('\n')) return [];
    const found = matches(text, dashAtStart);
    const firstBreak = text.indexOf('\n');
    const isFirst = ({ from }: { from: number }) => from <= firstBreak;
    const isSecondSpeaker = dash.isOnlySecond && found.some((part) => !isFirst(part));
    if (found.length < 2 && !isSecondSpeaker) return [];
    return found
      .map((part) => ({ ...part, text: dash.isOnlySecond && isFirst(part) ? '' : dash.text }))
      .filter((edit) => text.slice(edit.from, edit.to).trimStart() !== edit.text);
  },
};

/** True if two people may speak: a line starts with a dash. */
export const mayBeDialogue = (text: string): boolean => /^[ \t]*[-‐‑–—−]/mu.test(text);
