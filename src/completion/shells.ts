import type { Candidate } from '../core/input.ts';
import { displayWidth, truncate } from '../core/values/width.ts';
import type { Completion } from './completeWord.ts';

/**
 * The response that a shell's script reads. The first line says whether to add file or folder names,
 * whether to add a space after the word, and the part of the word before the value. Each further line
 * is a candidate.
 */
function scriptResponse(
  { paths, before = '' }: Completion,
  rows: readonly string[],
  isUnfinished = false,
): string {
  const first = [paths ?? 'words', isUnfinished ? 'nospace' : 'space', before].join(' ');
  return `${[first, ...rows].join('\n')}\n`;
}

const isOpen = ({ isOpen }: Candidate) => isOpen === true;

const matching = ({ candidates }: Completion, current: string) =>
  candidates.filter(({ value }) => value.startsWith(current));

/** fish and zsh match, quote and cut by themselves. */
export function fishResponse(completion: Completion): string {
  const rows = completion.candidates.map(({ value, summary = '' }) => `${value}\t${summary}`);
  return scriptResponse(completion, rows);
}

/** A colon separates a word from its summary. */
export function zshResponse(completion: Completion): string {
  const escaped = (word: string) => word.replace(/[\\:]/g, '\\$&');
  const rows = completion.candidates.map(({ value, summary }) =>
    summary ? `${escaped(value)}:${summary}` : escaped(value),
  );
  return scriptResponse(completion, rows, completion.candidates.some(isOpen));
}

/** PowerShell takes the text to insert, the text to show, and the summary. */
export function powershellResponse(completion: Completion, current: string): string {
  const rows = matching(completion, current).map(({ value, summary }) =>
    [quoteForPowershell(value), value, summary || value].join('\t'),
  );
  return scriptResponse(completion, rows);
}

/** PowerShell treats typographic apostrophes as quotes. */
const quoteForPowershell = (value: string) =>
  /^[\w./:\\+%=-]+$/.test(value) && !/^-[^-a-zA-Z]/.test(value)
    ? value
    : `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

type BashLine = ReturnType<typeof readBashLine>;

/** Splits a line into words. Bash's own list breaks `--output=json` and ids with a colon apart. */
export function readBashLine(line: string, breaks: string) {
  /** Without quotes; the last one is at the cursor. */
  const words: string[] = [];
  let word: string | undefined;
  /** The open quote around the last word. */
  let quote: '' | '"' | "'" = '';
  /** The length of the last word's part that bash keeps: it replaces only what follows a break. */
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
