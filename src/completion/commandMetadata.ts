import { endpoints, type Resource } from '../api/endpoints.ts';
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
  return {
    entries: await Promise.all(entries),
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
});

const optionMetadata = ({
  default: _default,
  group: _group,
  ...metadata
}: Option): OptionMetadata => metadata;
