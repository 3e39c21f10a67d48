import type { EndpointId, Resource } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import type { View } from '../terminal/view.ts';

/** A word that may stand somewhere, and what it means. */
export interface Candidate {
  value: string;
  summary?: string;
  /** It is only the beginning of a word. */
  isOpen?: true;
}

/** What Tab offers for a value that is not one of a few `choices`. */
export type Completes =
  | 'file'
  | 'folder'
  | 'profile'
  /** Fields of the noun's records, separated by commas. */
  | 'columns'
  /** Ids that were used before: of the resource of the command's endpoint, or of the one named. */
  | 'id'
  | { idOf: Resource; orFile?: true }
  /** Made from the arguments before it. */
  | ((before: readonly string[]) => Completes | readonly Candidate[]);

export interface Argument {
  name: string;
  summary: string;
  optional?: true;
  /** Takes all that follow. */
  many?: true;
  choices?: readonly string[];
  completes?: Completes;
}

export interface Option {
  /** `-f, --file <file>`; without a `<value>` it is a switch. */
  flags: string;
  summary: string;
  /** What holds without it, where that is not nothing. */
  default?: string;
  /** May be given several times; its value is then the list of them. */
  many?: true;
  choices?: readonly string[];
  completes?: Completes;
  /** The heading that it stands under in help, where that is not `Flags`. */
  group?: string;
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
  /** How its records are shown. */
  view?: View;
  examples: readonly Example[];
}

/** The key of an option in `options`: `stopOnError` for `--stop-on-error`. */
export const optionKey = (flags: string) =>
  (/--([\w-]+)/.exec(flags)?.[1] ?? '').replace(/-(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );

/** The text given to an option that takes one. */
export function textOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}
