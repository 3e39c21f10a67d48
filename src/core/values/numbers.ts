import { nameFacts, usageError } from '../errors.ts';

/** 1234567 as 1,234,567. `Intl` takes longer to load than it is worth here. */
export const groupDigits = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const pluralNoun = (count: number, noun: string) => (count === 1 ? noun : `${noun}s`);

export const plural = (count: number, noun: string) =>
  `${groupDigits(count)} ${pluralNoun(count, noun)}`;

/** The first of many, and how many more there are. */
export function firstOf(texts: readonly string[], max: number): string[] {
  const more = texts.length - max;
  return more > 0 ? [...texts.slice(0, max), `${more} more`] : [...texts];
}

/** `name` is the flag, for the error. */
export function parseWholeNumber(text: string, name: string, { min = 1, max = Infinity } = {}) {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return number;
  const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
  const message = `${name} takes a whole number ${range}, not "${text}"`;
  throw usageError(message, { ...nameFacts(name), value: text });
}

/** `row 3`, or `rows 2-18, 21`. */
export function rowRanges(rows: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const row of rows) {
    const latest = ranges.at(-1);
    if (latest && latest[1] === row - 1) latest[1] = row;
    else ranges.push([row, row]);
  }
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  return `${rows.length === 1 ? 'row' : 'rows'} ${texts.join(', ')}`;
}
