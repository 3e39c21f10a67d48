import { type Endpoint, endpoints } from '../core/api/endpoints.ts';
import type { Shape } from '../core/api/schemaMismatch.ts';
import shapes from '../core/api/shapes.json' with { type: 'json' };
import type { LoadedCommand } from '../core/commands/command.ts';
import { globalOptions } from '../core/commands/globals.ts';
import type { Option } from '../core/input.ts';
import { helpTopics, table } from '../program/table.ts';
import { type CommandNode, CommandTree } from '../program/tree.ts';

export type CommandMetadata = ReturnType<typeof metadataOf>;

/** The build replaces this file with the result, so that Tab loads no command. */
export async function commandMetadata() {
  const { commonLanguages } = await import('../core/records/names.ts');
  const bodies = Object.values<Endpoint>(endpoints).flatMap(({ body }) => body ?? []);
  return {
    entries: await Promise.all(new CommandTree(table).verbs.map(entryMetadata)),
    languages: commonLanguages().map(({ code, name }) => ({ value: code, summary: name })),
    fields: Object.fromEntries(bodies.map((body) => [body, fieldPaths(JSON.parse(shapes[body]))])),
    globalOptions: globalOptions.map(optionMetadata),
    topics: Object.entries(helpTopics)
      // A command of that name is completed anyway.
      .filter(([topic]) => table.every(({ name }) => name !== topic))
      .map(([value, summary]) => ({ value, summary })),
  };
}

async function entryMetadata(node: CommandNode) {
  const commands = await node.loadCommands();
  const { view } = commands.find((command) => command.view) ?? {};
  return {
    name: node.name(),
    aliases: node.aliases(),
    summary: node.summary(),
    isNoun: node.verbs.length > 0,
    /** The verbs of a noun, and the command of the entry's own name, if there is one. */
    commands: commands.map(metadataOf),
    columns: (view?.columns ?? []).map(({ path, title }) => ({ path, title })),
  };
}

function metadataOf(command: LoadedCommand) {
  const { words, summary, arguments: args = [], options = [] } = command;
  const endpoint: Endpoint | undefined = command.endpoint && endpoints[command.endpoint];
  return {
    name: words.at(-1) ?? '',
    summary,
    arguments: args.map(({ summary: _summary, ...argument }) => argument),
    options: options.map(optionMetadata),
    resource: endpoint?.resource,
    /** The schema of the record that it writes. */
    body: endpoint?.body,
  };
}

/** Fields as `--set` takes them: `language=`, `due.date=`, `tags[+]=`. Deeper ones are rarely set. */
function fieldPaths(shape: Shape, path = '', depth = 0): string[] {
  if (typeof shape === 'string') return [`${path}=`];
  if ('array' in shape) return [`${path}[+]=`];
  if ('anyOf' in shape) return shape.anyOf.flatMap((one) => fieldPaths(one, path, depth));
  if (!('fields' in shape) || depth === 2) return [];
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    // The service fills in the fields with a $.
    name.startsWith('$')
      ? []
      : fieldPaths(field, path === '' ? name : `${path}.${name}`, depth + 1),
  );
}

/** The parts of an option that Tab needs, so that equal ones of several commands are stored once. */
const optionMetadata = ({ flags, summary, many, choices, isList, completes }: Option): Option => {
  return { flags, summary, many, choices, isList, completes };
};
