import type { EndpointId } from '../api/endpoints.ts';
import type { Context } from '../context.ts';

export interface Argument {
  name: string;
  summary: string;
  optional?: true;
  /** Takes all that follow. */
  many?: true;
  /** What Tab offers for it. */
  completes?: () => readonly { value: string; summary?: string }[];
}

export interface Option {
  /** `-f, --file <file>`; without a `<value>` it is a switch. */
  flags: string;
  summary: string;
  /** May be given several times; its value is then the list of them. */
  many?: true;
  choices?: readonly string[];
}

export interface Example {
  does: string;
  line: string;
}

/** What was typed after the command's name. */
export interface Input {
  arguments: readonly string[];
  /** By their long name in camelCase. */
  options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Every option with a value, in the order given. */
  given: readonly { name: string; value: string }[];
}

/** A command: what it is called, what it takes, and what it does. */
export interface Command {
  name: string;
  summary: string;
  /** A paragraph for its help, where the summary is not enough. */
  details?: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  examples: readonly Example[];
  /** The endpoint that has its home here. Each endpoint has exactly one. */
  endpoint?: EndpointId;
  run(context: Context, input: Input): Promise<void>;
}

/** Commands about one kind of thing: `mar asset get`. */
export interface Noun {
  commands: readonly Command[];
  examples: readonly Example[];
}

/** The text given to an option that takes one. */
export function textOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}
