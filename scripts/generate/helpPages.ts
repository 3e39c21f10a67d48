import { type Entry, isNoun, loadCommands, table, wordsOf } from '../../src/commands/table.ts';
import { commandHelp, nounHelp, type Page, topics } from '../../src/help.ts';

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
  const commands = await loadCommands(entry);
  const pages = commands.map((command) => {
    const words = wordsOf(entry, command);
    const verbs = isNoun(entry) && words.length === 1 ? commands.slice(1) : [];
    return { words, page: commandHelp(entry, command, verbs) };
  });
  return isNoun(entry) && !entry.load
    ? [{ words: [entry.name], page: nounHelp(entry, commands) }, ...pages]
    : pages;
}

/** The pages of `mar help <topic>`. */
export const topicPages = (): NamedPage[] =>
  Object.values(topics).map((page) => ({ words: [], page }));
