import type { Argument, Command, Noun, Option } from '../commands/command.ts';
import { globalOptions } from '../commands/globals.ts';
import { type Entry, table } from '../commands/table.ts';
import { Flag } from './flag.ts';

/** What is known of a command line up to the word that Tab was pressed in. */
export interface Line {
  /** Absent as long as the word after `mar` is not there, or means nothing. */
  entry?: Entry;
  noun?: Noun;
  command?: Command;
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
  const general = [...globalOptions, helpOption].map((option) => new Flag(option));

  // The first words decide which flags there are, and those decide which words are values.
  const [name] = scan(rest, general).plain;
  const entry = table.find((one) => one.name === name || one.aliases?.includes(name ?? ''));
  const loaded = await entry?.load();
  const noun = loaded && 'commands' in loaded ? loaded : undefined;
  const verb = noun && scan(rest, general).plain[1];
  const command =
    loaded && 'run' in loaded ? loaded : noun?.commands.find((one) => one.name === verb);

  const own = (command?.options ?? []).map((option) => new Flag(option));
  // A flag that means something else behind this command is its own.
  const isOwn = ({ names }: Flag) => own.some((one) => names.some((name) => one.isCalled(name)));
  const flags = [...own, ...general.filter((flag) => !isOwn(flag))];
  const { plain, ...scanned } = scan(rest, flags);
  const names = [entry, noun && command].filter(Boolean).length;
  return { entry, noun, command, arguments: plain.slice(names), flags, ...scanned, isHelp };
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
export function argumentAt({ command, arguments: before }: Line): Argument | undefined {
  const declared = command?.arguments ?? [];
  const last = declared.at(-1);
  return declared[before.length] ?? (last?.many ? last : undefined);
}
