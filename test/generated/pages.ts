import { type Entry, table } from '../../src/commands/table.ts';
import { commandHelp, flagsHelp, nounHelp, type Page } from '../../src/help.ts';

/** A page of the program's help, with the words after `mar` that ask for it. */
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

/** What the pages of commands leave out, since it holds for all of them. */
export const globalPage = (): NamedPage => ({ words: [], page: flagsHelp() });
