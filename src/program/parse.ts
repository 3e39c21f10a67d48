import { findResource } from '../core/api/endpoints.ts';
import type { Command, Program } from '../core/commands/command.ts';
import { type GlobalValues, globalOptions, readGlobals } from '../core/commands/globals.ts';
import { usageError } from '../core/errors.ts';
import { checkOptions, type Input, longName, optionKey } from '../core/input.ts';
import type { GlobalFlags } from '../core/world.ts';
import type { Page } from './help.ts';
import type { CommandDocument } from './helpJson.ts';
import { helpTopics, table } from './table.ts';
import { type CommandNode, CommandTree } from './tree.ts';

export type ParsedCommand =
  | { kind: 'version'; isJson: boolean }
  | { kind: 'help'; page: Page; color: boolean }
  | { kind: 'help-json'; document: object }
  | { kind: 'run'; path: string; command: Command; input: Input; flags: GlobalFlags };

/** Throws for a mistake. The options of the tree are the global flags then too. */
export async function parse(
  argv: readonly string[],
  tree: CommandTree = new CommandTree(),
): Promise<ParsedCommand> {
  await tree.read(argv);
  const { reached, word, mistake } = tree;
  const values = tree.opts<GlobalValues>();
  if (Object.hasOwn(helpTopics, tree.topic)) return shownHelp(tree, tree.topic);
  const version = { kind: 'version', isJson: values.json === true } as const;
  if (word === 'version' || (argv.length === 1 && argv[0] === '-v')) return version;
  const path = reached.words.join(' ');
  if (mistake) throw await mistake(path);
  const { declared: command, given, args } = reached;
  // The tree that has read a line may lack other commands.
  const shown = reached === tree ? new CommandTree(table) : reached;
  if (tree.isHelp) return shownHelp(tree, shown);
  const input = { arguments: args, options: reached.opts<Input['options']>(), given };
  // A flag of the command may exclude one that every command takes.
  checkOptions(command?.options ?? [], { ...values, ...input.options });
  if (values.version) return version;
  if (!command) return shownHelp(tree, shown);
  return { kind: 'run', path, command, ...withOwnFlags(command, input, values) };
}

async function shownHelp(tree: CommandTree, shown: CommandNode | string): Promise<ParsedCommand> {
  const values = tree.opts<GlobalValues>();
  if (values.json || (values.jq ?? values.jqSlurp) !== undefined) {
    const { documentOf } = await import('./helpJson.ts');
    return { kind: 'help-json', document: await documentOf(shown) };
  }
  const { fittedPage, pageOf } = await import('./help.ts');
  const page = await pageOf(shown);
  return { kind: 'help', page: tree.isWholeHelp ? page : fittedPage(page), color: values.color };
}

/** The commands and help pages, for the server for agents. */
export const program: Program = {
  async command(words) {
    const command = await new CommandTree(table).find(words)?.load();
    if (!command) throw usageError(`unknown command: mar ${words}`);
    return command;
  },
  async check(words, { arguments: args, options }) {
    const { options: declared = [] } = await program.command(words);
    const flags = declared.flatMap(({ flags }) => {
      const [name, value = []] = [longName(flags), options[optionKey(flags)]];
      return value === true ? name : [value].flat().map((one) => `${name}=${one}`);
    });
    await parse([...words.split(' '), ...flags, '--', ...args]);
  },
  async describe(topic) {
    const words = topic.replace(/^schema /, '').split(' ');
    const [record = ''] = words;
    if (words.length === 1 && findResource(record)) {
      return (await import('../core/commands/schema.ts')).fieldLines(record);
    }
    const parsed = await parse(['help', ...words, '--json']);
    const document = parsed.kind === 'help-json' ? parsed.document : {};
    if (words.length === 1) return { ...document };
    return (await import('./helpJson.ts')).inShort(document as CommandDocument);
  },
};

/** Moves the value of a global flag that the command redefines to the command's own options. */
function withOwnFlags({ options: declared = [] }: Command, input: Input, all: GlobalValues) {
  const names = declared.map(({ flags }) => optionKey(flags));
  const own = Object.entries(all).filter(([name]) => names.includes(name));
  const values = { ...all, ...Object.fromEntries(own.map(([name]) => [name, undefined])) };
  checkOptions(globalOptions, values);
  const options = { ...input.options, ...Object.fromEntries(own) };
  return { input: { ...input, options }, flags: readGlobals(values) };
}
