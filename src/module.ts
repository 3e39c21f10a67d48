import type { Command } from './core/commands/command.ts';

export type CommandFile = () => Promise<{ command: Command }>;

/** A word that can follow `mar`. */
export interface Entry {
  name: string;
  group: string;
  aliases?: readonly string[];
  summary: string;
  details?: string;
  /** The command that has the name of the entry: `mar login`, `mar sandbox`. */
  load?: CommandFile;
  /** In the order of help. Each verb is a file, loaded only when it is used. */
  verbs?: Readonly<Record<string, CommandFile>>;
}

/** Verbs that a module adds to a noun of the core, and what help says of the noun with them. */
interface AddedVerbs extends Partial<Pick<Entry, 'summary' | 'details'>> {
  /** The verb of the core that stands behind them in help. Without one, they are the last. */
  before?: string;
  verbs: Readonly<Record<string, CommandFile>>;
}

/**
 * A part of the program that can be deleted. It describes what it adds to the table of commands, and
 * loads nothing before a command line needs it.
 */
export interface Module {
  /** New words. Each stands in its group of help, before the word that it names or as the last one. */
  entries?: readonly (Entry & { before?: string })[];
  /** By the noun. */
  verbs?: Readonly<Record<string, AddedVerbs>>;
  /** Topics of `mar help`, with their titles. They list the flags of a group: `batch` those of `Batch`. */
  topics?: Readonly<Record<string, string>>;
  /**
   * Gives a command flags and another `run`, by its words: `wr create`, `undo`. A command that no part of the
   * program has is left out.
   */
  extends?: Readonly<Record<string, (command: Command) => Promise<Command>>>;
}
