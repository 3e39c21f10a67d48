import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
} from 'commander';
import type { Command } from './commands/command.ts';
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
  type UngroupedEntry,
  wordsOf,
} from './commands/table.ts';
import { type MarError, usageError } from './errors.ts';
import type { Page } from './help.ts';
import { type Input, idResource, missingArgument, type Option, optionKey } from './input.ts';
import type { GlobalFlags } from './world.ts';

export type ParsedCommand =
  | { kind: 'version' }
  | { kind: 'help'; page: Page; color: boolean }
  | { kind: 'help-json'; document: object }
  | { kind: 'run'; path: string; command: Command; input: Input; flags: GlobalFlags };

/** Help is loaded only when it is shown. */
type HelpChoice = { help<Result>(pages: HelpPages<Result>): Result };
type Choice = HelpChoice | { command: Command; input: Input };
type Choose = (choice: Choice) => void;

/** Help for people, or help for programs. */
interface HelpPages<Result> {
  rootHelp(table: readonly Entry[]): Result;
  nounHelp(entry: NounEntry, commands: readonly Command[]): Result;
  commandHelp(entry: UngroupedEntry, command: Command, verbs: readonly Command[]): Result;
  topicHelp(topic: keyof typeof helpTopics): Result;
}

export async function parse(argv: readonly string[]): Promise<ParsedCommand> {
  const { args, topic, isHelp } = readHelpWord(argv);
  if (topic) return shownHelp(argv, { help: ({ topicHelp }) => topicHelp(topic) });
  const [word] = plainWords(args);
  if (word === 'version' || (argv.length === 1 && argv[0] === '-v')) return { kind: 'version' };
  const entry = entryOf(word);
  if (word !== undefined && !entry) {
    throw (await import('./commands/intents.ts')).unknownCommand(word, isHelp);
  }
  const own = (await entry?.load?.())?.command;
  const verb = entry && isNoun(entry) ? plainWords(args, own?.options)[1] : undefined;
  if (verb !== undefined && entry && isNoun(entry) && !Object.hasOwn(entry.verbs, verb)) {
    throw (await import('./commands/intents.ts')).unknownVerb(entry, verb);
  }

  let choice: Choice | undefined;
  const choose: Choose = (chosen) => {
    choice ??= chosen;
  };
  const program = withOptions(newNode('mar'), globalOptions);
  let node: CommanderCommand | undefined;
  let command: Command | undefined;
  if (entry && isNoun(entry) && (verb !== undefined || !own)) {
    command = (verb && (await entry.verbs[verb]?.())?.command) || undefined;
    node = await nounNode(entry, command, choose);
  } else if (entry && own) {
    command = own;
    const verbs = isNoun(entry) && args.some(isHelpFlag) ? await loadCommands(entry) : [];
    node = commandNode(entry, own, choose, verbs.slice(1));
  }
  if (node && entry) program.addCommand(node.aliases(entry.aliases ?? []));
  const help: Choice = { help: ({ rootHelp }) => rootHelp(table) };
  onHelp(program, () => choose(help));

  const path = (entry && command ? wordsOf(entry, command) : [entry?.name ?? '']).join(' ');
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws after it has shown help.
    if (error.code !== 'commander.helpDisplayed' && error.code !== 'commander.help') {
      throw await parseError(error, { path, command, args });
    }
  }

  const values = program.opts<GlobalValues>();
  if (values.version) return { kind: 'version' };
  choice ??= help;
  if ('help' in choice) return shownHelp(argv, choice);
  return { kind: 'run', path, ...withOwnFlags(choice, values) };
}

async function shownHelp(argv: readonly string[], { help }: HelpChoice): Promise<ParsedCommand> {
  if (argv.includes('--json')) {
    const { jsonPages } = await import('./helpJson.ts');
    return { kind: 'help-json', document: await help<object | Promise<object>>(jsonPages) };
  }
  const page = help(await import('./help.ts'));
  return { kind: 'help', page, color: !argv.includes('--no-color') };
}

const entryOf = (word: string | undefined) =>
  table.find(({ name, aliases = [] }) => [name, ...aliases].includes(word ?? ''));

/** Turns `mar help wr create`, `mar wr help create` and `mar wr help` into `mar wr create --help`. */
function readHelpWord(argv: readonly string[]) {
  const [first, second] = plainWords(argv);
  const isHelp = first === 'help' || (second === 'help' && entryOf(first) !== undefined);
  if (!isHelp) return { args: argv, isHelp };
  const args = argv.filter((word) => word !== 'help');
  const topic = first === 'help' && isHelpTopic(second) ? second : undefined;
  return { args: [...args, '--help'], isHelp, topic };
}

/** Moves the value of a global flag that the command redefines to the command's own options. */
function withOwnFlags({ command, input }: { command: Command; input: Input }, all: GlobalValues) {
  const names = (command.options ?? []).map(({ flags }) => optionKey(flags));
  const own = Object.entries(all).filter(([name]) => names.includes(name));
  const values = { ...all, ...Object.fromEntries(own.map(([name]) => [name, undefined])) };
  checkCombinations(globalOptions, values);
  const options = { ...input.options, ...Object.fromEntries(own) };
  return { command, input: { ...input, options }, flags: readGlobals(values) };
}

const isHelpFlag = (word: string) => word === '--help' || word === '-h';

/** The words before `--` that are neither flags nor values of global flags or of the given ones. */
function plainWords(args: readonly string[], options: readonly Option[] = []): string[] {
  const withValue = [...globalOptions, ...options].filter(({ flags }) => flags.includes('<'));
  const names = new Set(withValue.flatMap(({ flags }) => flags.match(/-[\w-]+/g) ?? []));
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).filter(
    (argument, index) => !argument.startsWith('-') && !names.has(args[index - 1] ?? ''),
  );
}

function newNode(name: string): CommanderCommand {
  return new CommanderCommand(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .helpOption(false);
}

function onHelp(node: CommanderCommand, show: () => void): CommanderCommand {
  return node.helpOption('-h, --help').configureHelp({
    formatHelp() {
      show();
      return '';
    },
  });
}

/** Without a command, loads all of them for the noun's help. */
async function nounNode(entry: NounEntry, command: Command | undefined, choose: Choose) {
  const node = newNode(entry.name);
  if (command) {
    node.addCommand(commandNode(entry, command, choose));
    return onHelp(node, () => {});
  }
  // A node without children would not show help.
  for (const name of Object.keys(entry.verbs)) node.addCommand(newNode(name));
  const commands = await loadCommands(entry);
  return onHelp(node, () => choose({ help: ({ nounHelp }) => nounHelp(entry, commands) }));
}

function commandNode(
  entry: UngroupedEntry,
  command: Command,
  choose: Choose,
  verbs: readonly Command[] = [],
) {
  const node = newNode(command.name).allowExcessArguments();
  // Commander fills arguments from the left, so one behind an optional argument may be absent too.
  // A missing id is no error yet: on a terminal, `readIds` offers the recently used ones.
  const hasOptional = command.arguments?.some(
    (argument) => argument.optional || idResource(argument, command) !== undefined,
  );
  for (const { name, many, choices } of command.arguments ?? []) {
    const term = many ? `${name}...` : name;
    const argument = new CommanderArgument(hasOptional ? `[${term}]` : `<${term}>`);
    if (choices) argument.argParser((value) => checkChoice(value, choices, `<${name}>`));
    node.addArgument(argument);
  }
  const given: { name: string; value: string }[] = [];
  withOptions(node, command.options ?? []);
  for (const option of node.options) {
    node.on(`option:${option.name()}`, (value: unknown) => {
      if (typeof value === 'string') given.push({ name: option.name(), value });
    });
  }
  onHelp(node, () => choose({ help: ({ commandHelp }) => commandHelp(entry, command, verbs) }));
  return node.action(() => {
    if (!command.arguments?.at(-1)?.many) checkCount(entry, command, node.args);
    checkCombinations(command.options ?? [], node.opts());
    choose({ command, input: { arguments: node.args, options: node.opts(), given } });
  });
}

function withOptions(node: CommanderCommand, options: readonly Option[]): CommanderCommand {
  for (const { flags, many, choices } of options) {
    const option = new CommanderOption(flags);
    // The value before is `true` for a flag that may also have no value.
    option.argParser((value, before: unknown) => {
      if (many) return Array.isArray(before) ? [...before, value] : [value];
      if (choices) checkChoice(value, choices, flags);
      if (typeof before === 'string' && before !== value) throw twoValues(option, before, value);
      return value;
    });
    node.addOption(option);
  }
  return node;
}

const twoValues = ({ long: flag }: CommanderOption, first: string, value: string) =>
  usageError(`${flag} has two values: "${first}" and "${value}"`, `Give ${flag} once.`);

const longName = (flags: string) => /--[\w-]+/.exec(flags)?.[0];

function checkChoice(value: string, choices: readonly string[], term: string): string {
  if (choices.includes(value)) return value;
  const hint = `Allowed values: ${choices.join(', ')}`;
  throw usageError(`invalid value "${value}" for ${term}`, hint, { allowed: choices });
}

function checkCombinations(
  options: readonly Option[],
  values: Readonly<Record<string, unknown>>,
): void {
  for (const { flags, excludes = [], needs } of options) {
    if (values[optionKey(flags)] === undefined) continue;
    const other = excludes.find((name) => values[optionKey(name)] !== undefined);
    const flag = longName(flags);
    if (other) throw usageError(`${flag} and ${other} cannot be used together`);
    const isAlone = needs !== undefined && values[optionKey(needs)] === undefined;
    if (isAlone) throw usageError(`${flag} needs ${needs}`);
  }
}

function checkCount(entry: UngroupedEntry, command: Command, args: readonly string[]): void {
  const expected = command.arguments?.length ?? 0;
  if (args.length <= expected) return;
  if (command.unexpectedArgument) throw command.unexpectedArgument();
  const message = `too many arguments: expected ${expected}, got ${args.length}`;
  throw usageError(message, usageHint(wordsOf(entry, command).join(' ')));
}

const usageHint = (path: string) =>
  `For usage, run: mar ${[path, '--help'].filter(Boolean).join(' ')}`;

/** The words of commander in those of mar. Its messages quote the flag or argument. */
async function parseError(
  { code, message }: CommanderError,
  { path, command, args }: { path: string; command?: Command; args: readonly string[] },
): Promise<MarError> {
  const name = /'(.*)'/s.exec(message)?.[1] ?? '';
  switch (code) {
    case 'commander.unknownOption': {
      const options = [...(command?.options ?? []), ...globalOptions];
      const known = options.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
      const { unknownFlag } = await import('./commands/intents.ts');
      return unknownFlag(name.replace(/=.*/s, ''), { path, command, known, args });
    }
    case 'commander.missingArgument':
      return missingArgument(name, path);
    case 'commander.optionMissingArgument': {
      const { movedFlag } = await import('./commands/intents.ts');
      const moved = name.startsWith('--status') && movedFlag('--status', { path, args });
      return moved || usageError(`missing value for ${name}`, usageHint(path));
    }
    default:
      return usageError(message.replace(/^error: /, ''), usageHint(path));
  }
}
