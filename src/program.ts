import { Command as CommanderCommand, Option as CommanderOption } from 'commander';
import type { Program } from './agents/call.ts';
import { findResource } from './api/endpoints.ts';
import type { Command, NamedCommand } from './commands/command.ts';
import {
  type GlobalValues,
  globalOptions,
  type helpTopics,
  isHelpTopic,
  readGlobals,
} from './commands/globals.ts';
import {
  type Entry,
  isNoun,
  loadCommands,
  type NounEntry,
  table,
  wordsOf,
} from './commands/table.ts';
import { type MarError, usageError } from './errors.ts';
import type { Page } from './help.ts';
import type { CommandDocument } from './helpJson.ts';
import {
  checkInput,
  checkOptions,
  type GivenOption,
  type Input,
  invalidChoice,
  longName,
  type Option,
  optionKey,
  usageHint,
} from './input.ts';
import type { GlobalFlags } from './world.ts';

export type ParsedCommand =
  | { kind: 'version'; isJson: boolean }
  | { kind: 'help'; page: Page; color: boolean }
  | { kind: 'help-json'; document: object }
  | { kind: 'run'; path: string; command: Command; input: Input; flags: GlobalFlags };

/** Help for people, or help for programs. */
interface HelpPages<Result> {
  rootHelp(table: readonly Entry[]): Result;
  nounHelp(entry: NounEntry, commands: readonly NamedCommand[]): Result;
  commandHelp(entry: Entry, command: NamedCommand, verbs: readonly NamedCommand[]): Result;
  topicHelp(topic: keyof typeof helpTopics): Result;
}

/** Help is loaded only when it is shown. */
type Help = <Result>(pages: HelpPages<Result>) => Result;

/** The words of a line that remain when flags have been read. */
interface Words {
  /** The words before the first unknown flag. */
  operands: readonly string[];
  /** The first unknown flag, and all words behind it. */
  rest: readonly string[];
}

interface ReadFlags<Values> extends Words {
  values: Values;
  given: readonly GivenOption[];
  /** The first mistake. Its hint names the command, which is not known yet. */
  problem?: (path: string) => MarError;
}

export interface CommandLine extends ReadFlags<GlobalValues> {
  /** The words behind `--`, none of which is a flag. */
  tail: readonly string[];
}

/** Reads the global flags. It never fails, because they decide how a failure is printed. */
export function readLine(argv: readonly string[]): CommandLine {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words = { operands: [], rest: argv.slice(0, end) };
  return { ...readFlags<GlobalValues>(globalOptions, words), tail: argv.slice(end + 1) };
}

export async function parse(
  argv: readonly string[],
  { values, problem, tail, ...words }: CommandLine = readLine(argv),
): Promise<ParsedCommand> {
  // Node puts this character in place of invalid bytes.
  const broken = argv.find((one) => one.includes('\ufffd'));
  if (broken !== undefined) {
    throw usageError(`an argument is not valid UTF-8: ${broken}`, 'Nothing was sent.');
  }
  const { topic, isHelp, line } = readHelpWord(words);
  if (topic) return shownHelp(values, ({ topicHelp }) => topicHelp(topic));
  const [word] = plainWords(line);
  const version = { kind: 'version', isJson: values.json === true } as const;
  if (word === 'version' || (argv.length === 1 && argv[0] === '-v')) return version;
  const { entry, command, names } = await namedCommand(line, isHelp);
  const path = (entry && command ? wordsOf(entry, command) : [entry?.name ?? '']).join(' ');
  if (problem) throw problem(path);

  // The flags of a command come behind its name.
  const isMisplaced = line.operands.length < names;
  const flags = readFlags<Input['options']>(isMisplaced ? [] : command?.options, line);
  if (flags.problem) throw flags.problem(path);
  const [unknown] = flags.rest;
  if (flags.rest.some((one) => one === '--help' || one === '-h')) {
    return shownHelp(values, isMisplaced ? rootHelp : await helpOf(entry, command));
  }
  if (unknown !== undefined) {
    const { unknownFlag } = await import('./commands/intents.ts');
    throw await unknownFlag(unknown, { path, command });
  }
  const args = [...flags.operands.slice(names), ...tail];
  const input = { arguments: args, options: flags.values, given: flags.given };
  // A flag of the command may exclude one that every command takes.
  checkInput(command ?? {}, { ...input, options: { ...values, ...input.options } }, path);
  if (values.version) return version;
  if (!command) return shownHelp(values, await helpOf(entry, command));
  return { kind: 'run', path, command, ...withOwnFlags(command, input, values) };
}

/** The command that a line names, and how many of its words do that. */
async function namedCommand(line: Words, isHelp: boolean) {
  const [word] = plainWords(line);
  const entry = entryOf(word);
  if (word !== undefined && !entry) {
    throw (await import('./commands/intents.ts')).unknownCommand(word, isHelp);
  }
  const own = await entry?.load?.();
  const verb = entry && isNoun(entry) ? plainWords(readFlags(own?.options, line))[1] : undefined;
  if (!entry || !isNoun(entry) || verb === undefined) {
    return { entry, command: own, names: entry ? 1 : 0 };
  }
  const load = Object.hasOwn(entry.verbs, verb) ? entry.verbs[verb] : undefined;
  if (!load) throw (await import('./commands/intents.ts')).unknownVerb(entry, verb);
  return { entry, command: await load(), names: 2 };
}

async function shownHelp(values: GlobalValues, help: Help): Promise<ParsedCommand> {
  if (values.json || (values.jq ?? values.jqSlurp) !== undefined) {
    const { jsonPages } = await import('./helpJson.ts');
    return { kind: 'help-json', document: await help<object | Promise<object>>(jsonPages) };
  }
  return { kind: 'help', page: help(await import('./help.ts')), color: values.color };
}

/** The commands and help pages, for the server for agents. */
export const program: Program = {
  async command(words) {
    const [name, verb = ''] = words.split(' ');
    const entry = entryOf(name);
    const load = (entry && isNoun(entry) ? entry.verbs[verb] : undefined) ?? entry?.load;
    if (!load) throw usageError(`unknown command: mar ${words}`);
    return load();
  },
  async describe(topic) {
    const words = topic.replace(/^schema /, '').split(' ');
    const [record = ''] = words;
    if (words.length === 1 && findResource(record)) {
      return (await import('./commands/schema.ts')).fieldLines(record);
    }
    const parsed = await parse(['help', ...words, '--json']);
    const document = parsed.kind === 'help-json' ? parsed.document : {};
    if (words.length === 1) return { ...document };
    return (await import('./helpJson.ts')).inShort(document as CommandDocument);
  },
  async document(topic) {
    if (topic === 'skill') return (await import('./commands/skill.ts')).guide;
    const [, record] = /^schema (.+)/.exec(topic) ?? [];
    if (record === undefined) return JSON.stringify(await program.describe(topic));
    return JSON.stringify(await (await import('./commands/schema.ts')).schemaNamed(record));
  },
};

const rootHelp: Help = (pages) => pages.rootHelp(table);

async function helpOf(entry?: Entry, command?: NamedCommand): Promise<Help> {
  if (entry && command) {
    const isVerb = command.name !== entry.name;
    const verbs = isVerb ? [] : (await loadCommands(entry)).slice(1);
    return ({ commandHelp }) => commandHelp(entry, command, verbs);
  }
  if (!entry || !isNoun(entry)) return rootHelp;
  const commands = await loadCommands(entry);
  return ({ nounHelp }) => nounHelp(entry, commands);
}

const entryOf = (word: string | undefined) =>
  table.find(({ name, aliases = [] }) => [name, ...aliases].includes(word ?? ''));

/** Turns `mar help wr create`, `mar wr help create` and `mar wr help` into `mar wr create --help`. */
function readHelpWord(line: Words) {
  const [first, second] = plainWords(line);
  const isHelp = first === 'help' || (second === 'help' && entryOf(first) !== undefined);
  if (!isHelp) return { line, isHelp };
  const topic = first === 'help' && isHelpTopic(second) ? second : undefined;
  const isOther = (word: string) => word !== 'help';
  const rest = [...line.rest.filter(isOther), '--help'];
  return { line: { operands: line.operands.filter(isOther), rest }, isHelp, topic };
}

/** Moves the value of a global flag that the command redefines to the command's own options. */
function withOwnFlags({ options: declared = [] }: Command, input: Input, all: GlobalValues) {
  const names = declared.map(({ flags }) => optionKey(flags));
  const own = Object.entries(all).filter(([name]) => names.includes(name));
  const values = { ...all, ...Object.fromEntries(own.map(([name]) => [name, undefined])) };
  checkOptions(globalOptions, values);
  const options = { ...input.options, ...Object.fromEntries(own) };
  return { input: { ...input, options }, flags: readGlobals(values) };
}

/** The words that are neither flags nor values of known flags. */
const plainWords = ({ operands, rest }: Words) => [
  ...operands,
  ...rest.filter((word) => !word.startsWith('-')),
];

/** Stands behind the last word, where a flag without its value finds it. No word has this character. */
const lineEnd = '-\0';

/** Reads flags from the rest of a line. Nothing is thrown. */
function readFlags<Values extends object>(
  options: readonly Option[] = [],
  { operands, rest }: Words,
): ReadFlags<Values> {
  const node = new CommanderCommand();
  const given: GivenOption[] = [];
  /** Flags whose value is in the same word. */
  const bare = new Set<string>();
  let problem: ReadFlags<Values>['problem'];
  for (const declared of options) {
    const option = new CommanderOption(declared.flags.replace('[=', ' ['));
    const hasOwnValue = declared.flags.includes('[=');
    if (hasOwnValue) bare.add(longName(declared.flags));
    // A switch has no value. The value before is `true` for a flag that may also have no value.
    option.argParser((text: string | undefined, before: unknown) => {
      if (text === undefined) return text;
      if (hasOwnValue && (text === lineEnd || before === true)) return true;
      problem ??= wrongValue(declared, text, before);
      const value = text === lineEnd ? '' : text;
      given.push({ name: option.name(), value });
      return declared.many ? [...(Array.isArray(before) ? before : []), value] : value;
    });
    node.addOption(option);
  }
  // Otherwise, commander takes the next word for the value.
  const words = rest.map((word) => (bare.has(word) ? `${word}=${lineEnd}` : word));
  const read = node.parseOptions([...words, lineEnd]);
  const known = (words: string[]) => words.filter((word) => word !== lineEnd);
  return {
    operands: [...operands, ...known(read.operands)],
    rest: known(read.unknown),
    values: node.opts<Values>(),
    given,
    problem,
  };
}

/** The mistake in the value of a flag, if there is one. */
function wrongValue(option: Option, value: string, before: unknown): ReadFlags<never>['problem'] {
  const flag = longName(option.flags);
  if (value === lineEnd) {
    return (path) => usageError(`missing value for ${option.flags}`, usageHint(path), { flag });
  }
  if (option.many) return undefined;
  const invalid = invalidChoice(option, value);
  if (invalid) return () => invalid;
  if (typeof before !== 'string' || before === value) return undefined;
  const message = `${flag} has two values: "${before}" and "${value}"`;
  return () => usageError(message, `Give ${flag} once.`, { flag, value });
}
