import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
} from 'commander';
import type { Command, Input, Option } from './commands/command.ts';
import { type GlobalValues, globalOptions, readGlobals } from './commands/globals.ts';
import { isNoun, loadCommands, type NounEntry, table } from './commands/table.ts';
import { usageError } from './errors.ts';
import type { Page } from './help.ts';
import type { GlobalFlags } from './world.ts';

export type ParsedCommand =
  | { kind: 'version' }
  | { kind: 'help'; page: Page; color: boolean }
  | { kind: 'run'; command: Command; input: Input; flags: GlobalFlags };

/** Help is loaded only when it is shown. */
type Help = typeof import('./help.ts');

type Choice = { help(pages: Help): Page } | { command: Command; input: Input };
type Choose = (choice: Choice) => void;

export async function parse(argv: readonly string[]): Promise<ParsedCommand> {
  if (argv[0] === 'help' && argv[1] === 'flags') {
    const { flagsHelp } = await import('./help.ts');
    return { kind: 'help', page: flagsHelp(), color: !argv.includes('--no-color') };
  }
  // `mar help wr create` is `mar wr create --help`.
  const args = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const [word, verb] = plainWords(args);
  const entry = table.find(({ name, aliases = [] }) => [name, ...aliases].includes(word ?? ''));
  const verbs = entry && isNoun(entry) ? entry.verbs : undefined;
  const isVerb = verb !== undefined && verbs !== undefined && Object.hasOwn(verbs, verb);

  let choice: Choice | undefined;
  const choose: Choose = (chosen) => {
    choice ??= chosen;
  };
  const program = withOptions(newNode('mar'), globalOptions);
  if (entry) {
    const node = isNoun(entry)
      ? await nounNode(entry, isVerb ? verb : undefined, choose)
      : commandNode(entry.name, (await entry.load()).command, choose);
    program.addCommand(node.aliases(entry.aliases ?? []));
  } else for (const { name } of table) program.addCommand(newNode(name));
  const help: Choice = { help: ({ rootHelp }) => rootHelp(table) };
  onHelp(program, () => choose(help));

  // For an unknown word, commander suggests similar ones, but not if --help is there.
  const isKnown = word === undefined || (entry && (!verbs || verb === undefined || isVerb));
  const parsed = isKnown ? args : args.filter((one) => one !== '--help' && one !== '-h');
  const helpLine = ['mar', entry?.name, isVerb && verb, '--help'].filter(Boolean).join(' ');
  withUsageErrors(() => program.parse(parsed, { from: 'user' }), helpLine);

  const values = program.opts<GlobalValues>();
  if (values.version) return { kind: 'version' };
  choice ??= help;
  if ('help' in choice) {
    const page = choice.help(await import('./help.ts'));
    return { kind: 'help', page, color: values.color !== false };
  }
  return { kind: 'run', ...withOwnFlags(choice, values) };
}

/** Moves the value of a global flag that the command redefines to the command's own options. */
function withOwnFlags({ command, input }: { command: Command; input: Input }, all: GlobalValues) {
  const options = { ...input.options };
  const values = { ...all };
  for (const { flags } of command.options ?? []) {
    const name = new CommanderOption(flags).attributeName();
    if (values[name] === undefined) continue;
    options[name] = values[name];
    delete values[name];
  }
  return { command, input: { ...input, options }, flags: readGlobals(values) };
}

/** The words that are neither flags nor values of global flags. */
function plainWords(args: readonly string[]): string[] {
  const withValue = globalOptions.filter(({ flags }) => flags.includes('<'));
  const names = new Set(withValue.flatMap(({ flags }) => flags.match(/-[\w-]+/g) ?? []));
  return args.filter(
    (argument, index) => !argument.startsWith('-') && !names.has(args[index - 1] ?? ''),
  );
}

function newNode(name: string): CommanderCommand {
  return new CommanderCommand(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpCommand(false)
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

/** Loads the verb alone; without one, all verbs for the noun's help. */
async function nounNode(entry: NounEntry, verb: string | undefined, choose: Choose) {
  const node = newNode(entry.name);
  const { command } = (verb && (await entry.verbs[verb]?.())) || {};
  for (const name of Object.keys(entry.verbs)) {
    const path = `${entry.name} ${name}`;
    node.addCommand(command && name === verb ? commandNode(path, command, choose) : newNode(name));
  }
  if (command) return onHelp(node, () => {});
  const commands = await loadCommands(entry);
  return onHelp(node, () => choose({ help: ({ nounHelp }) => nounHelp(entry, commands) }));
}

function commandNode(path: string, command: Command, choose: Choose) {
  const node = newNode(command.name);
  // Commander fills arguments from the left, so one behind an optional argument may be absent too.
  const hasOptional = command.arguments?.some(({ optional }) => optional);
  for (const { name, many, choices } of command.arguments ?? []) {
    const term = many ? `${name}...` : name;
    const argument = new CommanderArgument(hasOptional ? `[${term}]` : `<${term}>`);
    node.addArgument(choices ? argument.choices(choices) : argument);
  }
  const given: { name: string; value: string }[] = [];
  withOptions(node, command.options ?? []);
  for (const option of node.options) {
    node.on(`option:${option.name()}`, (value: unknown) => {
      if (typeof value === 'string') given.push({ name: option.name(), value });
    });
  }
  onHelp(node, () => choose({ help: ({ commandHelp }) => commandHelp(path, command) }));
  return node.action(() => {
    choose({ command, input: { arguments: node.args, options: node.opts(), given } });
  });
}

function withOptions(node: CommanderCommand, options: readonly Option[]): CommanderCommand {
  for (const { flags, many, choices } of options) {
    const option = new CommanderOption(flags);
    if (choices) option.choices(choices);
    if (many) {
      // The value before is `true` for a flag that may also have no value.
      option.argParser((value, all: unknown) => (Array.isArray(all) ? [...all, value] : [value]));
    }
    node.addOption(option);
  }
  return node;
}

function withUsageErrors(action: () => void, helpLine: string): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander also throws after it has shown help.
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help') return;
    const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
    throw usageError(message, suggestion?.replace(/^\((.*)\)$/, '$1') ?? `see ${helpLine}`);
  }
}
