import { displayWidth, truncate } from '../values/width.ts';
import type { Completion } from './candidates.ts';
import { isOpen, matching, scriptResponse } from './scriptResponse.ts';

interface BashLine {
  /** Without quotes; the last one is at the cursor. */
  words: readonly string[];
  /** The open quote around the last word. */
  quote: '' | '"' | "'";
  /** The length of the last word's part that bash keeps: it replaces only what follows a break. */
  fixed: number;
  isRedirected: boolean;
}

/** Splits a line into words. Bash's own list breaks `--output=json` and ids with a colon apart. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: BashLine['quote'] = '';
  let fixed = 0;
  let isRedirected = false;
  const endWord = () => {
    if (word !== undefined && !isRedirected) words.push(word);
    if (word !== undefined) isRedirected = false;
    word = undefined;
    fixed = 0;
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (quote !== '') {
      if (character === quote) {
        quote = '';
        fixed = word?.length ?? 0;
      } else if (character === '\\' && quote === '"' && /["\\$`]/.test(line[at + 1] ?? '')) {
        at += 1;
        word = `${word ?? ''}${line[at]}`;
      } else word = `${word ?? ''}${character}`;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
      fixed = word.length;
    } else if (character === '\\') {
      at += 1;
      word = `${word ?? ''}${line[at] ?? ''}`;
    } else if (/\s/.test(character)) {
      endWord();
    } else if (character === '<' || character === '>') {
      endWord();
      isRedirected = true;
    } else {
      word = `${word ?? ''}${character}`;
      if (breaks.includes(character)) fixed = word.length;
    }
  }
  return { words: [...words, word ?? ''], quote, fixed, isRedirected };
}

/** `COMP_TYPE` of `menu-complete` and `insert-completions`, which insert words unchanged. */
const insertingTypes = ['37', '42'];

/** bash inserts the common start of several words, so that they can have summaries after them. */
export function bashResponse(
  completion: Completion,
  line: BashLine,
  { type, columns }: { type: string; columns: number },
): string {
  const found = matching(completion, line.words.at(-1) ?? '');
  const words = found.map(({ value }) => escapeWord(value.slice(line.fixed), line.quote));
  const hasSummaries = found.length > 1 && !insertingTypes.includes(type);
  const width = Math.max(0, ...words.map(displayWidth));
  const rows = words.map((word, index) => {
    const summary = hasSummaries ? found[index]?.summary : undefined;
    return summary ? truncate(`${word.padEnd(width)}  (${summary})`, columns - 1) : word;
  });
  return scriptResponse(completion, rows, found.length === 1 && found.every(isOpen));
}

function escapeWord(word: string, quote: BashLine['quote']): string {
  if (quote === "'") return word.replaceAll("'", "'\\''");
  if (quote === '"') return word.replace(/["\\$`]/g, '\\$&');
  return word.replace(/^[~#]|[\s\\"'`$&|;<>()[\]{}*?!]/g, '\\$&');
}
