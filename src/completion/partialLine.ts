import { type CommandMetadata, commandMetadata } from './commandMetadata.ts';

type Option = CommandMetadata['options'][number];

type Flag = ReturnType<typeof flagOf>;

function flagOf(option: Option) {
  /** The long name is the last one. */
  const names: readonly string[] = option.flags.match(/(?<![\w-])--?[\w-]+/g) ?? [];
  /** The value of `--skip-checks[=names]` is no word of its own. */
  const takesWord = / [<[]/.test(option.flags);
  return { option, names, takesValue: /[<[]/.test(option.flags), takesWord };
}

export type PartialLine = Awaited<ReturnType<typeof readLine>>;

const helpOption: Option = { flags: '-h, --help', summary: 'show help' };

export async function readLine(words: readonly string[]) {
  const isHelp = words[0] === 'help';
  const rest = isHelp ? words.slice(1) : words;
  const { entries, globalOptions, topics, languages, fields } = await commandMetadata();
  const globals = [...globalOptions, helpOption].map(flagOf);

  // The command decides which flags exist, and the flags decide which words are values.
  const [name] = scan(rest, globals).plain;
  const entry = entries.find((one) => one.name === name || one.aliases.includes(name ?? ''));
  const named = (one: string | undefined) => entry?.commands.find(({ name }) => name === one);
  const bare = named(entry?.name);
  const before = [...(bare?.options ?? []).map(flagOf), ...globals];
  const verb = entry?.isNoun ? named(scan(rest, before).plain[1]) : undefined;
  const command = verb ?? bare;

  const own = (command?.options ?? []).map(flagOf);
  // A command's own flag replaces a global flag of the same name.
  const ownNames = own.flatMap(({ names }) => names);
  const isOwn = ({ names }: Flag) => names.some((name) => ownNames.includes(name));
  const flags = [...own, ...globals.filter((flag) => !isOwn(flag))];
  const { plain, ...scanned } = scan(rest, flags);
  const names = [entry, verb].filter(Boolean).length;
  return {
    entry,
    command,
    entries,
    languages,
    /** By the schema of the record. */
    fields: fields as Readonly<Record<string, readonly string[]>>,
    /** The topics of `mar help`, on such a line. */
    topics: isHelp ? topics : [],
    /** Without the command's name, and without flags. */
    arguments: plain.slice(names),
    /** All flags of the command, its own first. */
    flags,
    ...scanned,
    /** `mar help …` takes only names of commands. */
    isHelp,
  };
}

function scan(words: readonly string[], flags: readonly Flag[]) {
  const plain: string[] = [];
  const given = new Map<Flag, string | undefined>();
  /** The flag whose value is at the cursor. */
  let pending: Flag | undefined;
  /** After `--`, no word is a flag. */
  let isAfterDashes = false;
  for (const word of words) {
    const [name = '', value] = splitFlag(word);
    const flag = isAfterDashes ? undefined : flags.find(({ names }) => names.includes(name));
    if (pending) {
      given.set(pending, word);
      pending = undefined;
    } else if (flag) {
      given.set(flag, value);
      if (flag.takesWord && value === undefined) pending = flag;
    } else if (word === '--' && !isAfterDashes) {
      isAfterDashes = true;
    } else if (isAfterDashes || word === '-' || !word.startsWith('-')) {
      plain.push(word);
    }
  }
  return { plain, given, pending, isAfterDashes };
}

/** Splits `--output=json`. */
export function splitFlag(word: string): [name: string, value?: string] {
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [word] : [name, value];
}

export function argumentAt(line: PartialLine): CommandMetadata['arguments'][number] | undefined {
  const declared = line.command?.arguments ?? [];
  const last = declared.at(-1);
  return declared[line.arguments.length] ?? (last?.many ? last : undefined);
}
