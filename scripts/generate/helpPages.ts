import { type Page, pageOf } from '../../src/program/help.ts';
import { helpTopics, table } from '../../src/program/table.ts';
import { type CommandNode, CommandTree } from '../../src/program/tree.ts';

/** A help page, and the words after `mar` that show it. */
export interface NamedPage {
  words: readonly string[];
  page: Page;
}

/** The help of every command, in the order of the table. */
export async function commandPages(): Promise<NamedPage[]> {
  return (await Promise.all(new CommandTree(table).verbs.map(pagesOf))).flat();
}

async function pagesOf(node: CommandNode): Promise<NamedPage[]> {
  const below = await Promise.all(node.verbs.map(pagesOf));
  return [{ words: node.words, page: await pageOf(node) }, ...below.flat()];
}

/** The pages of `mar help <topic>`. */
export const topicPages = (): Promise<NamedPage[]> =>
  Promise.all(
    Object.keys(helpTopics).map(async (topic) => ({ words: [], page: await pageOf(topic) })),
  );
