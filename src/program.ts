import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
} from 'commander';
import type { Command, Input, Noun, Option } from './commands/command.ts';
import { type GlobalValues, globalOptions, readGlobals } from './commands/globals.ts';
import { type Entry, table } from './commands/table.ts';
import { usageError } from './errors.ts';
import { commandHelp, flagsHelp, nounHelp, type Page, rootHelp } from './help.ts';
import type { GlobalFlags } from './world.ts';

/** What a command line asks for. */
export type Asked =
  | { kind: 'version' }
  | { kind: 'help'; page: Page; color: boolean }
  | { kind: 'run'; command: Command; input: Input; flags: GlobalFlags };

type Choice = { help: Page } | { command: Command; input: Input };

/** Reads a command line. The code of a command is loaded when its name is used. */
export async function parse(argv: readonly string[]): Promise<Asked> {
  if (argv[0] === 'help' && argv[1] === 'flags') {
    return { kind: 'help', page: flagsHelp(), color: !argv.includes('--no-color') };
  }
  const args = withoutHelpWord(argv);
  const chosen: { choice?: Choice } = {};
  const choose = (choice: Choice) => {
    chosen.choice ??= choice;
  };
  const program = withOptions(newCommand('mar'), globalOptions);
  const [word, verb] = wordsOf(args);
  const used = table.find(({ name, aliases = [] }) => [name, ...aliases].includes(word ?? ''));
  const loaded = await used?.load();
  if (used && loaded) {
    program.addCommand(nodeOf(used, loaded, choose).aliases(used.aliases ?? []));
  } else for (const { name } of table) program.addCommand(newCommand(name));
  offerHelp(program, () => choose({ help: rootHelp(table) }));
  // Of a word that is not known, commander says which ones are like it, unless it is asked for help.
  const isKnown = word === undefined || (loaded && hasCommand(loaded, verb));
  const asked = isKnown ? args : args.filter((one) => one !== '--help' && one !== '-h');
  const isVerb = isKnown && loaded && 'commands' in loaded && verb !== undefined;
  const help = ['mar', used?.name, isVerb && verb, '--help'].filter(Boolean).join(' ');
  inOurWords(() => program.parse(asked, { from: 'user' }), help);

  const values = program.opts<GlobalValues>();
  if (values.version) return { kind: 'version' };
  const { choice = { help: rootHelp(table) } } = chosen;
  if ('help' in choice) return { kind: 'help', page: choice.help, color: values.color !== false };
  return { kind: 'run', ...withOwnFlags(choice, values) };
}

/**
 * A command may mean something else by a flag that stands behind any command: the value is then its
 * own, and all else is as if the flag were not there.
 */
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

/** `mar help wr create` is `mar wr create --help`. */
function withoutHelpWord(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

const hasCommand = (loaded: Command | Noun, verb: string | undefined) =>
  'run' in loaded || verb === undefined || loaded.commands.some(({ name }) => name === verb);

/** The words that are neither a flag nor the value of one; behind a command, also values of its own. */
function wordsOf(args: readonly string[]): string[] {
  const withValue = globalOptions.filter(({ flags }) => flags.includes('<'));
  const names = new Set(withValue.flatMap(({ flags }) => flags.match(/-[\w-]+/g) ?? []));
  return args.filter(
    (argument, index) => !argument.startsWith('-') && !names.has(args[index - 1] ?? ''),
  );
}

function newCommand(name: string): CommanderCommand {
  return new CommanderCommand(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpCommand(false)
    .helpOption(false);
}

/** Help is drawn by us: commander only tells that it was asked for. */
function offerHelp(node: CommanderCommand, show: () => void): CommanderCommand {
  return node.helpOption('-h, --help').configureHelp({
    formatHelp() {
      show();
      return '';
    },
  });
}

function nodeOf(entry: Entry, loaded: Command | Noun, choose: (choice: Choice) => void) {
  if ('run' in loaded) return leafOf(entry.name, loaded, choose);
  const node = offerHelp(newCommand(entry.name), () => choose({ help: nounHelp(entry, loaded) }));
  for (const command of loaded.commands) {
    node.addCommand(leafOf(`${entry.name} ${command.name}`, command, choose));
  }
  return node;
}

function leafOf(path: string, command: Command, choose: (choice: Choice) => void) {
  const node = newCommand(command.name);
  for (const { name, optional, many, choices } of command.arguments ?? []) {
    const shown = many ? `${name}...` : name;
    const argument = new CommanderArgument(optional ? `[${shown}]` : `<${shown}>`);
    node.addArgument(choices ? argument.choices(choices) : argument);
  }
  const given: { name: string; value: string }[] = [];
  withOptions(node, command.options ?? []);
  for (const option of node.options) {
    node.on(`option:${option.name()}`, (value: unknown) => {
      if (typeof value === 'string') given.push({ name: option.name(), value });
    });
  }
  offerHelp(node, () => choose({ help: commandHelp(path, command) }));
  return node.action(() => {
    choose({ command, input: { arguments: node.args, options: node.opts(), given } });
  });
}

function withOptions(node: CommanderCommand, options: readonly Option[]): CommanderCommand {
  for (const { flags, many, choices } of options) {
    const option = new CommanderOption(flags);
    if (choices) option.choices(choices);
    if (many) {
      // Before it, a flag whose value may be left out can have stood alone.
      option.argParser((value, before: unknown) => [
        ...(Array.isArray(before) ? before : []),
        value,
      ]);
    }
    node.addOption(option);
  }
  return node;
}

/** Runs a part of commander; its complaints come out as ours, with the help that may help. */
function inOurWords<T>(action: () => T, help: string): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for, or shown since no command was given, is not a failure.
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help')
      return undefined;
    const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
    throw usageError(message, suggestion?.replace(/^\((.*)\)$/, '$1') ?? `see ${help}`);
  }
}
