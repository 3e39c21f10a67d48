import { displayWidth, truncate } from './width.ts';

/** Unchanged characters to keep before the first difference in a cut value. */
const leadCharacters = 16;

/** Cuts two values so that the first difference stays visible. */
export function cutAtDifference(
  before: string | undefined,
  after: string | undefined,
  width: number,
): [string | undefined, string | undefined] {
  // No text so long fits, and measuring it takes long.
  const most = width * 50;
  const fits = (text = '') => text.length <= most && displayWidth(text) <= width;
  if (fits(before) && fits(after)) return [before, after];
  const begin = before === undefined || after === undefined ? 0 : firstDifference(before, after);
  const fitted = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const isLate = begin >= width / 2;
    const shown = isLate ? `…${[...text].slice(begin - leadCharacters).join('')}` : text;
    return truncate(shown.slice(0, most), width);
  };
  return [fitted(before), fitted(after)];
}

function firstDifference(a: string, b: string): number {
  const [first, second] = [[...a], [...b]];
  const at = first.findIndex((character, index) => character !== second[index]);
  return at < 0 ? first.length : at;
}
