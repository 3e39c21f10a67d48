import { type CommandMetadata, commandMetadata, type EntryMetadata } from './commandMetadata.ts';

type Option = CommandMetadata['options'][number];

/** An option, by the names that it has on the command line. */
class Flag {
  readonly option: Option;
  /** `-f` and `--file`, the long one last. */
  readonly names: readonly string[];
  readonly takesValue: boolean;

  constructor(option: Option) {
    this.option = option;
    this.names = option.flags.match(/(?<![\w-])--?[\w-]+/g) ?? [];
    this.takesValue = /[<[]/.test(option.flags);
  }

  isCalled(name: string): boolean {
    return this.names.includes(name);
  }
}

/** What is known of a command line up to the word that Tab was pressed in. */
export interface Line {
  /** Absent as long as the word after `mar` is not there, or means nothing. */
  entry?: EntryMetadata;
  command?: CommandMetadata;
  /** Every word that can follow `mar`. */
  entries: readonly EntryMetadata[];
  /** The words that are no flags, behind the names that are known. */
  arguments: readonly string[];
  /** The flags that may stand here. */
  flags: readonly Flag[];
  /** The flags that are there already, with the value of each that has one. */
  given: ReadonlyMap<Flag, string | undefined>;
  /** The word before wants this word as its value. */
  pending?: Flag;
  /** Behind `--` nothing is a flag. */
  isPlain: boolean;
  /** `mar help …` wants names of commands alone. */
  isHelp: boolean;
}

const helpOption: Option = { flags: '-h, --help', summary: 'show help' };

export async function readLine(words: readonly string[]): Promise<Line> {
  const isHelp = words[0] === 'help';
  const rest = isHelp ? words.slice(1) : words;
  const { entries, globalOptions } = await commandMetadata();
  const general = [...globalOptions, helpOption].map((option) => new Flag(option));

  // The first words decide which flags there are, and those decide which words are values.
  const [name] = scan(rest, general).plain;
  const entry = entries.find((one) => one.name === name || one.aliases.includes(name ?? ''));
  const verb = entry?.isNoun ? scan(rest, general).plain[1] : entry?.name;
  const command = entry?.commands.find((one) => one.name === verb);

  const own = (command?.options ?? []).map((option) => new Flag(option));
  // A flag that means something else behind this command is its own.
  const isOwn = ({ names }: Flag) => own.some((one) => names.some((name) => one.isCalled(name)));
  const flags = [...own, ...general.filter((flag) => !isOwn(flag))];
  const { plain, ...scanned } = scan(rest, flags);
  const names = [entry, entry?.isNoun && command].filter(Boolean).length;
  return { entry, command, entries, arguments: plain.slice(names), flags, ...scanned, isHelp };
}

function scan(words: readonly string[], flags: readonly Flag[]) {
  const plain: string[] = [];
  const given = new Map<Flag, string | undefined>();
  let pending: Flag | undefined;
  let isPlain = false;
  for (const word of words) {
    const [name = '', value] = splitFlag(word);
    const flag = isPlain ? undefined : flags.find((one) => one.isCalled(name));
    if (pending) {
      given.set(pending, word);
      pending = undefined;
    } else if (flag) {
      given.set(flag, value);
      if (flag.takesValue && value === undefined) pending = flag;
    } else if (word === '--' && !isPlain) {
      isPlain = true;
    } else if (isPlain || word === '-' || !word.startsWith('-')) {
      plain.push(word);
    }
  }
  return { plain, given, pending, isPlain };
}

/** `--output=json` is a flag and its value. */
export function splitFlag(word: string): [name: string, value?: string] {
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [word] : [name, value];
}

/** The argument that a word behind the command would be. */
export function argumentAt({
  command,
  arguments: before,
}: Line): CommandMetadata['arguments'][number] | undefined {
  const declared = command?.arguments ?? [];
  const last = declared.at(-1);
  return declared[before.length] ?? (last?.many ? last : undefined);
}

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
