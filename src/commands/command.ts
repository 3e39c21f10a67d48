import type { Program } from '../agents/agentCall.ts';
import type { Declaration, Input } from '../input.ts';
import type { Results } from '../output/result.ts';
import type { View } from '../output/view.ts';
import type { Context } from '../session/context.ts';

/** Command lines by the task that they do: `{ 'List the profiles': 'mar profile list' }`. */
export type Examples = Readonly<Record<string, string>>;

export interface Command extends Declaration {
  name: string;
  summary: string;
  details?: string;
  examples: Examples;
  view?: View;
  /** Output that is longer than the screen goes through a pager. Not for commands that ask or wait. */
  isPaged?: true;
  /** Prints text of its own, so the file of `-O` may have any ending. */
  printsText?: true;
  /** Runs until it is stopped, so it has no result for `-O`. */
  isEndless?(input: Input): boolean;
  /** Yields results; a promise if there is none. The server for agents runs the program's other commands. */
  run(context: Context, input: Input, program: Program): Promise<void> | Results;
}

/** For the help of every command in which people look for an import of subtitles. */
export const noImportNote =
  'The API does not accept lines: correct the lines of a work request in the web application.';
