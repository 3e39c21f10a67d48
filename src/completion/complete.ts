import type { Candidate } from '../commands/command.ts';
import type { Environment } from '../config/folders.ts';
import { displayWidth } from '../terminal/width.ts';
import { type Known, localKnowledge, type Offer, offer } from './candidates.ts';
import { type BashLine, readBashLine } from './partialLine.ts';

/** What completion needs to know of where it runs. */
export interface Surroundings {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
}

/**
 * Answers a shell's script, which gives its name and then what it knows of the command line. In
 * doubt there is nothing to offer: what is in the way of Tab is not told to who pressed it.
 */
export async function complete(
  [shell, ...given]: readonly string[],
  { env, platform }: Surroundings,
): Promise<string> {
  try {
    return await answer(shell, given, env, localKnowledge(env, platform));
  } catch {
    return '';
  }
}

async function answer(
  shell: string | undefined,
  given: readonly string[],
  env: Environment,
  known: Known,
): Promise<string> {
  switch (shell) {
    case 'bash': {
      const [text = '', breaks = '', type = '', columns] = given;
      const line = readBashLine(text, breaks);
      const files: Offer = { candidates: [], paths: 'file', before: '' };
      const found = line.isRedirected ? files : await offer(line.words.slice(1), known);
      return bashAnswer(found, line, { type, columns: Number(columns) || 80 });
    }
    case 'zsh':
      return zshAnswer(await offer(given, known));
    case 'fish':
      return fishAnswer(await offer(given, known));
    case 'powershell': {
      // In a variable: older ones lose empty arguments, and quotes in arguments.
      const words = (env.MAR_COMPLETE_WORDS ?? '').split('\n');
      return powershellAnswer(await offer(words, known), words.at(-1) ?? '');
    }
    default:
      return '';
  }
}

/*
 * What each shell's script gets to read: a first line that says what else to do (`file` or `folder`,
 * `nospace`, and what stands before the value), then a candidate a line.
 */

const firstLine = ({ paths, before }: Offer, isOpen: boolean) =>
  [paths ?? 'words', isOpen ? 'nospace' : 'space', before].join(' ');

const lines = (first: string, candidates: readonly string[]) =>
  `${[first, ...candidates].join('\n')}\n`;

/** fish matches, quotes and cuts by itself. */
function fishAnswer(offer: Offer): string {
  const rows = offer.candidates.map(({ value, summary }) => `${value}\t${summary ?? ''}`);
  return lines(firstLine(offer, false), rows);
}

/** zsh as well; a colon parts a word from its meaning. */
function zshAnswer(offer: Offer): string {
  const escaped = (text: string) => text.replace(/[\\:]/g, '\\$&');
  const rows = offer.candidates.map(({ value, summary }) =>
    summary ? `${escaped(value)}:${summary}` : escaped(value),
  );
  return lines(firstLine(offer, offer.candidates.some(isOpen)), rows);
}

/** PowerShell takes the word as it is to stand in the line, what to show, and what it means. */
function powershellAnswer(offer: Offer, current: string): string {
  const rows = matching(offer, current).map(({ value, summary }) =>
    [powershellWord(value), value, summary || value].join('\t'),
  );
  return lines(firstLine(offer, false), rows);
}

/** PowerShell takes typographic apostrophes for quotes. */
const powershellWord = (value: string) =>
  /^[\w./:\\+%=-]+$/.test(value) && !/^-[^-a-zA-Z]/.test(value)
    ? value
    : `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

/** How bash is going to use the words. */
interface BashUse {
  /** `COMP_TYPE`: the code of a character. */
  type: string;
  columns: number;
}

/**
 * bash shows the words as they are and inserts what they have in common, so their meanings can stand
 * behind them as long as there are several, and nothing takes one as it is.
 */
function bashAnswer(offer: Offer, line: BashLine, { type, columns }: BashUse): string {
  const current = line.words.at(-1) ?? '';
  const found = matching(offer, current);
  const words = found.map(({ value }) => bashWord(value.slice(line.fixed), line.quote));
  const isListed = found.length > 1 && !takesWords.has(type);
  const width = Math.max(0, ...words.map(displayWidth));
  const rows = words.map((word, index) => {
    const summary = isListed ? found[index]?.summary : undefined;
    return summary ? cut(`${word.padEnd(width)}  (${summary})`, columns - 1) : word;
  });
  return lines(firstLine(offer, found.length === 1 && found.every(isOpen)), rows);
}

/** `menu-complete` and `insert-completions`. */
const takesWords: ReadonlySet<string> = new Set(['37', '42']);

const isOpen = ({ isOpen }: Candidate) => isOpen === true;

const matching = ({ candidates }: Offer, current: string) =>
  candidates.filter(({ value }) => value.startsWith(current));

/** As it has to be written in the line, inside a quote or outside. */
function bashWord(text: string, quote: BashLine['quote']): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&');
  return text.replace(/^[~#]|[\s\\"'`$&|;<>()[\]{}*?!]/g, '\\$&');
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let short = '';
  for (const character of text) {
    if (displayWidth(`${short}${character}…`) > width) break;
    short += character;
  }
  return `${short}…`;
}
