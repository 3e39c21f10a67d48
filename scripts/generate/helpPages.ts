import { type Entry, table } from '../../src/commands/table.ts';
import { commandHelp, flagsHelp, nounHelp, type Page } from '../../src/help.ts';

/** A help page, and the words after `mar` that show it. */
export interface NamedPage {
  words: readonly string[];
  page: Page;
}

/** The help of every command, in the order of the table. */
export async function commandPages(): Promise<NamedPage[]> {
  return (await Promise.all(table.map(pagesOf))).flat();
}

async function pagesOf(entry: Entry): Promise<NamedPage[]> {
  const loaded = await entry.load();
  if ('run' in loaded) return [{ words: [entry.name], page: commandHelp(entry.name, loaded) }];
  return [
    { words: [entry.name], page: nounHelp(entry, loaded) },
    ...loaded.commands.map((command) => ({
      words: [entry.name, command.name],
      page: commandHelp(`${entry.name} ${command.name}`, command),
    })),
  ];
}

/** The flags that every command takes, which the commands' own pages leave out. */
export const globalPage = (): NamedPage => ({ words: [], page: flagsHelp() });
