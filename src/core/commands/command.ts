import type { Declaration, Input } from '../input.ts';
import type { JsonObject } from '../json/value.ts';
import type { Results } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import type { RowTemplate } from '../rows/row.ts';
import type { Context } from '../session/context.ts';

/** Command lines by the task that they do: `{ 'List the profiles': 'mar profile list' }`. */
export type Examples = Readonly<Record<string, string>>;

export interface Command extends Declaration {
  summary: string;
  details?: string;
  examples: Examples;
  view?: View;
  /** Output that is longer than the screen goes through a pager. Not for commands that ask or wait. */
  isPaged?: true;
  /** Prints text of its own, so the file of `-O` may have any ending. */
  printsText?: true;
  rows?: CommandRows;
  /** Runs until it is stopped, so it has no result for `-O`. */
  isEndless?(input: Input): boolean;
  run(context: Context, input: Input, program: Program): Results;
}

/** The commands and help of the program, for the server for agents, which runs other commands. */
export interface Program {
  command(words: string): Promise<Command>;
  /** Throws if a command line with this input would be refused. */
  check(words: string, input: Input): Promise<void>;
  /** Help as data, for a command, a topic or the fields of a record. */
  describe(topic: string): Promise<Record<string, unknown>>;
}

/** The parts of a batch that depend on the command. */
interface CommandRows {
  /** The lines of a table to fill in: a header and an example. */
  template?(now: Date): readonly string[];
  /** The flags of fields, which hold for all rows. */
  fieldFlags?: readonly string[];
  /** Turns them into edits. */
  withFieldFlags?(context: Context, input: Input): Promise<Input>;
  /** The record of `--like`, if it was given. */
  like?(context: Context, input: Input): Promise<RowTemplate | undefined>;
  /** Undefined if the rows are about no files of this machine. */
  files?(context: Context, input: Input): Promise<RowFiles | undefined>;
}

/** Rows that are about files of this machine. */
export interface RowFiles {
  /** Arguments that are a batch without `--batch`: a name for all of them, and the rows as JSON lines. */
  listed?: { name: string; rows(): Promise<readonly string[]> };
  /** Adds to a record what its file tells. Throws if the file cannot be used. */
  complete(record: JsonObject): Promise<void>;
}

/** A command with the words after `mar` that run it. */
export interface LoadedCommand extends Command {
  words: readonly string[];
}

/** For the help of every command in which people look for an import of subtitles. */
export const noImportNote =
  'The API does not accept lines: correct the lines of a work request in the web application.';
