import { localeOf } from '../languages/language.ts';
import { type Line, sortedByStart, startOf } from '../line.ts';
import { visibleLines } from '../spans.ts';
import type { Subtitles } from '../subtitles.ts';
import { isShownWith, overlapFinder } from './difference.ts';

export type Comparison = ReturnType<typeof compareTranslations>;

/**
 * Lines belong together if they are shown together for at least half of the shorter one's time. One
 * line may belong to several, since languages split sentences in different places.
 */
export function compareTranslations(reference: Subtitles, source: Subtitles) {
  const [before, after] = [comparable(reference.lines), comparable(source.lines)];
  const [forward, backward] = [nearestLines(before, after), nearestLines(after, before)];
  const repeated = [...forward].flatMap(([old, line]) => {
    const words = wordsOf(old);
    const isSame = isSentence(words) && words.join(' ') === wordsOf(line).join(' ');
    return isSame && backward.get(line) === old ? line : [];
  });
  const [first, second] = [reference, source].map(({ language }) => localeOf(language)?.language);
  const isSameLanguage = first !== undefined && first === second;
  return {
    reference,
    source,
    /** The lines of both that have text and usable times, by their start. Others are not compared. */
    compared: { reference: before, source: after },
    /** Lines of the reference that the translation shows nothing for. */
    missing: before.filter((line) => !forward.has(line)),
    /** Lines of the translation that the reference shows nothing for. */
    extra: after.filter((line) => !backward.has(line)),
    /** Lines that have the words of the reference. Undefined if both are in the same language. */
    untranslated: isSameLanguage ? undefined : repeated,
    matched: forward.size,
  };
}

const comparable = (lines: readonly Line[]): Line[] =>
  sortedByStart(lines).filter(({ spans }) => visibleLines(spans).join('').trim() !== '');

/** For each line, the line among the others that belongs to it and starts nearest to it. */
function nearestLines(lines: readonly Line[], others: readonly Line[]): Map<Line, Line> {
  const overlapping = overlapFinder(others);
  const nearest = new Map<Line, Line>();
  for (const line of lines) {
    const distance = (other: Line) => Math.abs(startOf(other) - startOf(line));
    const { first, end } = overlapping(line, 0);
    for (const other of others.slice(first, end)) {
      if (!isShownWith(line, other)) continue;
      const found = nearest.get(line);
      if (!found || distance(other) < distance(found)) nearest.set(line, other);
    }
  }
  return nearest;
}

/** The words of a line, without tags, case, punctuation and numbers. */
export const wordsOf = ({ spans }: Line): string[] =>
  visibleLines(spans)
    .join(' ')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const minLetters = 4;

/** A single word may be a name, or the same in both languages: `Elisabeth!`, `OK`, `Radio`. */
function isSentence(words: readonly string[]): boolean {
  const text = words.join('');
  return text.length >= minLetters && (words.length > 1 || withoutSpaces.test(text));
}
