/** A command line of bash, read up to the cursor. */
export interface BashLine {
  /** Without quotes; the last one is the one at the cursor. */
  words: readonly string[];
  /** The quote that the last word is still in. */
  quote: '' | '"' | "'";
  /** How much of the last word bash leaves alone: it replaces what is behind its last break. */
  fixed: number;
  /** The last word is where input comes from, or where output goes to. */
  isRedirected: boolean;
}

const blank = /\s/;

/**
 * Reads a line as bash does. Its own list of words is of no use here: it breaks `--output=json` and
 * ids with a colon into pieces.
 */
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
    } else if (blank.test(character)) {
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
