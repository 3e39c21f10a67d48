import { type Endpoint, endpoints, type Resource, type SchemaName } from '../api/endpoints.ts';
import type { Shape } from '../api/schemaMismatch.ts';
import { shapes } from '../api/shapes.ts';
import type { Argument, Command, Option } from '../commands/command.ts';
import { globalOptions, helpTopics } from '../commands/globals.ts';
import { isNoun, loadCommands, table } from '../commands/table.ts';

type OptionMetadata = Omit<Option, 'default' | 'group'>;

export interface CommandMetadata {
  name: string;
  summary: string;
  arguments: readonly Omit<Argument, 'summary'>[];
  options: readonly OptionMetadata[];
  resource?: Resource;
  /** The schema of the record that it writes. */
  body?: SchemaName;
}

export interface EntryMetadata {
  name: string;
  aliases: readonly string[];
  summary: string;
  isNoun: boolean;
  /** The verbs of a noun, and the command of the entry's own name, if there is one. */
  commands: readonly CommandMetadata[];
  columns: readonly { path: string; title: string }[];
}

/** The build replaces this file with the result, so that Tab loads no command. */
export async function commandMetadata() {
  const entries = table.map(async (entry): Promise<EntryMetadata> => {
    const { name, aliases = [], summary } = entry;
    const commands = await loadCommands(entry);
    const { view } = commands.find((command) => command.view) ?? {};
    return {
      name,
      aliases,
      summary,
      isNoun: isNoun(entry),
      commands: commands.map(metadataOf),
      columns: (view?.columns ?? []).map(({ path, title }) => ({ path, title })),
    };
  });
  const { commonLanguages } = await import('../records/codes.ts');
  const bodies = Object.values<Endpoint>(endpoints).flatMap(({ body }) => body ?? []);
  return {
    entries: await Promise.all(entries),
    languages: commonLanguages().map(({ code, name }) => ({ value: code, summary: name })),
    fields: Object.fromEntries(bodies.map((body) => [body, fieldPaths(JSON.parse(shapes[body]))])),
    globalOptions: globalOptions.map(optionMetadata),
    topics: Object.entries(helpTopics).map(([value, summary]) => ({ value, summary })),
  };
}

const metadataOf = (command: Command): CommandMetadata => ({
  name: command.name,
  summary: command.summary,
  arguments: (command.arguments ?? []).map(({ summary: _summary, ...argument }) => argument),
  options: (command.options ?? []).map(optionMetadata),
  resource: command.endpoint && endpoints[command.endpoint].resource,
  body: command.endpoint && (endpoints[command.endpoint] as Endpoint).body,
});

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

const optionMetadata = ({
  default: _default,
  group: _group,
  ...metadata
}: Option): OptionMetadata => metadata;
