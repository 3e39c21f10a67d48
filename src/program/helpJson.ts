import { type Endpoint, endpoints, resources } from '../core/api/endpoints.ts';
import type { LoadedCommand } from '../core/commands/command.ts';
import { globalOptions } from '../core/commands/globals.ts';
import { exitCodes, successMeaning } from '../core/errors.ts';
import { longName, type Option } from '../core/input.ts';
import { pageOf, topicOptions } from './help.ts';
import { table } from './table.ts';
import { type CommandNode, CommandTree } from './tree.ts';

/*
 * Help for programs, from the same table as help for people. `scripts/generate/helpSchema.ts` has its
 * schema. The list of all commands is short, because agents read it first.
 */

/** They change something on this machine, and nothing at the service. */
const localCommands =
  /^(?:login|sandbox(?: (?:stop|reset|set))?|wr (?:un)?track|profile (?:use|rename)|config (?:un)?set|translation (?:export|check|fix)|batch resolve)$/;

function briefly(command: LoadedCommand) {
  const { words } = command;
  const has = (flag: string) => flagsOf(command.options).some(({ names }) => names.includes(flag));
  const local = localCommands.test(words.join(' ')) ? 'local' : 'read';
  const { method, path }: Partial<Endpoint> = command.endpoint ? endpoints[command.endpoint] : {};
  return {
    words,
    summary: command.summary,
    // Every write has --dry-run, but for the calls of an agent and the end of a login.
    effect: ['--dry-run', '--allow-writes', '--local'].some(has) ? 'write' : local,
    // A logout takes --yes, but never asks.
    asks: (has('--yes') && words[0] !== 'logout') || has('--password-stdin') || undefined,
    waits: has('--interval') || command.isEndless !== undefined || undefined,
    endpoint: method && `${method} ${path}`,
  };
}

const flagsOf = (options: readonly Option[] = []) =>
  options.map(({ flags, default: fallback, choices, many, excludes = [], needs, summary }) => {
    const [names = '', value] = flags.split(/ ?[<[]=?(?=[^<[]*$)/);
    const others = options.filter((other) => other.excludes?.includes(longName(flags)));
    const together = [...excludes, ...others.map((other) => longName(other.flags))];
    return {
      names: names.split(', '),
      type: value === undefined ? 'boolean' : 'string',
      value: value?.slice(0, -1),
      isValueOptional: flags.includes('[') || undefined,
      summary,
      values: choices,
      default: fallback,
      repeatable: many,
      excludes: together.length > 0 ? together : undefined,
      needs,
    };
  });

export async function documentOf(shown: CommandNode | string): Promise<object> {
  if (typeof shown === 'string') return topicDocument(shown);
  const own = await shown.load();
  const commands = (await shown.loadCommands()).map(briefly);
  if (!own) return { commands };
  const aliases = (own.words.length > 1 ? shown.parent : shown)?.aliases() ?? [];
  const verbs = commands.slice(1);
  return { ...commandDocument(own, aliases), ...(verbs.length > 0 && { commands: verbs }) };
}

function commandDocument(command: LoadedCommand, aliases: readonly string[]) {
  const { details, arguments: args = [], options, examples, endpoint, view } = command;
  const { resource, range }: Partial<Endpoint> = endpoint ? endpoints[endpoint] : {};
  const schema = resources.find((one) => one.resource === resource)?.name;
  return {
    ...briefly(command),
    aliases: aliases.length > 0 ? aliases : undefined,
    details,
    arguments: args.map(({ name, summary, optional, many, choices }) => {
      return { name, summary, required: !optional, repeatable: many, values: choices };
    }),
    flags: flagsOf(options),
    examples: Object.entries(examples).map(([task, line]) => ({ task, command: line })),
    // A login and a logout print an outcome, not the record of their endpoint.
    prints: view && schema && { schema, isList: range },
  };
}

const allExitCodes = () => [
  { code: 0, meaning: successMeaning },
  ...Object.entries(exitCodes).map(([kind, { code, meaning }]) => ({ code, kind, meaning })),
];

async function topicDocument(topic: string): Promise<object> {
  if (topic === 'exit-codes') return { exitCodes: allExitCodes() };
  if (topic === 'environment') {
    const rows = (await pageOf(topic)).groups.flatMap((group) => group.rows);
    return { variables: rows.map(([name, meaning]) => ({ name, meaning })) };
  }
  // Programs get the commands of `mar help batch`: each has its flags.
  const noun = new CommandTree(table).find(topic);
  if (noun) return documentOf(noun);
  return { flags: flagsOf(topic === 'flags' ? globalOptions : await topicOptions(topic)) };
}

export type CommandDocument = ReturnType<typeof commandDocument>;

/** The part of a command's help that an agent needs. */
export const inShort = ({ summary, details, arguments: args, flags }: CommandDocument) => ({
  ...{ summary, details },
  arguments: Object.fromEntries(args.map((one) => [one.name, one.summary])),
  flags: Object.fromEntries(
    flags.map(({ names, summary: what, values }) => [
      names.at(-1),
      values ? `${what}: ${values.join(', ')}` : what,
    ]),
  ),
});
