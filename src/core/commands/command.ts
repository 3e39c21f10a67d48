import type { RunnableCommand } from '../../modules/agents/call.ts';
import type { Input } from '../input.ts';
import type { RowTemplate } from '../rows/row.ts';
import type { Context } from '../session/context.ts';

/** Command lines by the task that they do: `{ 'List the profiles': 'mar profile list' }`. */
export type Examples = Readonly<Record<string, string>>;

export interface Command extends RunnableCommand {
  summary: string;
  details?: string;
  examples: Examples;
  /** Output that is longer than the screen goes through a pager. Not for commands that ask or wait. */
  isPaged?: true;
  /** Prints text of its own, so the file of `-O` may have any ending. */
  printsText?: true;
  rows?: CommandRows;
  /** Runs until it is stopped, so it has no result for `-O`. */
  isEndless?(input: Input): boolean;
}

/** What a command brings to a batch of its records. */
export interface CommandRows {
  /** The lines of a table to fill in: a header and an example. */
  template(now: Date): readonly string[];
  /** The record of `--like`, if it was given. */
  like(context: Context, input: Input): Promise<RowTemplate | undefined>;
}

/** A command with the words after `mar` that run it. */
export interface LoadedCommand extends Command {
  words: readonly string[];
}

/** For the help of every command in which people look for an import of subtitles. */
export const noImportNote =
  'The API does not accept lines: correct the lines of a work request in the web application.';
