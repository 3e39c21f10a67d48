/*
 * Search without regard to case, accents and width, in any script. Loaded late: patterns with
 * Unicode properties take time to compile.
 */

/** Upper case, because it also unites ß and ss, and the two forms of a small sigma. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ŁØĐĦ]/g, (letter) => ({ Ł: 'L', Ø: 'O', Đ: 'D' })[letter] ?? 'H')
    // Keyboards have one dash, titles have several.
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();

const wordsIn = (foldedText: string) => foldedText.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Whole words: Ann is neither Anna nor Johanna. */
export function hasWords(text: string, query: string): boolean {
  const [own, words] = [wordsIn(folded(text)), wordsIn(folded(query))];
  return words.length > 0 && words.every((word) => own.includes(word));
}

/** How well a text matches, best first. */
type MatchRank = 'exact' | 'start' | 'words' | 'part';

export type Matcher = (text: string) => MatchRank | undefined;

/** Every word must be in the text, in any order. */
export function textMatcher(query: string): Matcher {
  const wanted = folded(query);
  const words = wanted.split(' ');
  return (text) => {
    const found = folded(text);
    if (!words.every((word) => found.includes(word))) return undefined;
    if (found === wanted) return 'exact';
    if (found.startsWith(wanted)) return 'start';
    const starts = wordsIn(found);
    const isWordStart = (word: string) => starts.some((start) => start.startsWith(word));
    return words.every((word) => wordsIn(word).every(isWordStart)) ? 'words' : 'part';
  };
}
