import { type EndpointId, endpoints, type Resource } from '../api/endpoints.ts';
import { type MarError, usageError } from '../errors.ts';
import type { View } from '../output/view.ts';
import type { ValueName } from '../records/knownValues.ts';
import type { Context } from '../session/context.ts';

export interface Candidate {
  value: string;
  summary?: string;
  /** The user has to add to this word, so the shell adds no space after it. */
  isOpen?: true;
}

/** Candidates for Tab. Plain data, because the build writes it into the completion program. */
export type Completes =
  | 'file'
  | 'folder'
  | 'profile'
  | 'columns'
  /** Recently used ids: of the resource of the command's endpoint, or of a named resource. */
  | 'id'
  | { idOf: Resource; orFile?: true }
  /** Values that the API documents, or that were seen in records. */
  | { valueNamed: ValueName }
  | 'language'
  | 'time zone'
  /** A field of the record that the command writes. */
  | 'field'
  | readonly Candidate[]
  /** Depends on the argument before, in upper or lower case. */
  | { after: Readonly<Record<string, Completes>> };

export interface Argument {
  name: string;
  summary: string;
  optional?: true;
  many?: true;
  choices?: readonly string[];
  completes?: Completes;
}

export interface Option {
  /** `-f, --file <file>`; a switch has no `<value>`. */
  flags: string;
  summary: string;
  default?: string;
  /** May be repeated; its value is then a list. */
  many?: true;
  choices?: readonly string[];
  /** Long names of options that cannot be given together with this one. */
  excludes?: readonly string[];
  /** The option without which this one has no meaning: `--from FILE`. */
  needs?: string;
  completes?: Completes;
  /** The heading in help; `Flags` if absent. */
  group?: string;
}

/** Command lines by the task that they do: `{ 'List the profiles': 'mar profile list' }`. */
export type Examples = Readonly<Record<string, string>>;

export interface GivenOption {
  name: string;
  value: string;
  /** The flag as typed, if a command turned it into this one. */
  flag?: string;
}

export interface Input {
  arguments: readonly string[];
  /** By their long name in camelCase. */
  options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Every option that has a value, in the order given. */
  given: readonly GivenOption[];
}

export interface Command {
  name: string;
  summary: string;
  details?: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  examples: Examples;
  /** Each endpoint belongs to exactly one command. */
  endpoint?: EndpointId;
  view?: View;
  /** The error for too many arguments, where people may expect that the command takes one. */
  unexpectedArgument?(): MarError;
  /** Throws if flags are wrong. Runs before a missing id is offered. */
  checkFlags?(input: Input): unknown;
  /** Output that is longer than the screen goes through a pager. Not for commands that ask or wait. */
  isPaged?: true;
  /** Prints text of its own, so the file of `-O` may have any ending. */
  printsText?: true;
  /** Runs until it is stopped, so it has no result for `-O`. */
  isEndless?(input: Input): boolean;
  run(context: Context, input: Input): Promise<void>;
}

/** The resource of an argument or flag that takes ids; `any` if it is none of the known ones. */
export function idResource(
  { completes, flags = '' }: Pick<Argument, 'completes'> & { flags?: string },
  { endpoint }: Pick<Command, 'endpoint'>,
): Resource | 'any' | undefined {
  if (completes === 'id') return endpoint ? endpoints[endpoint].resource : 'any';
  if (typeof completes === 'object' && 'idOf' in completes) return completes.idOf;
  return flags.includes('<id>') ? 'any' : undefined;
}

/** True for text that may be more than a bare id: an address, or spaces around it. */
const mayBeAddress = (text: string) => /^\s|\s$|^(?:https?:)?\/\//i.test(text);

/** True if `readIds` has something to do. Most command lines do not load it. */
export const hasIdsToRead = (command: Command, input: Input): boolean =>
  input.arguments.some(mayBeAddress) ||
  input.given.some(({ value }) => mayBeAddress(value)) ||
  (command.arguments ?? []).some(
    ({ optional }, at) => !optional && input.arguments[at] === undefined,
  );

export const missingArgument = (name: string, path: string) =>
  usageError(`missing argument <${name}>`, `For usage, run: mar ${path} --help`);

export interface Invocation {
  endpoint: EndpointId;
  view: View;
  input: Input;
}

/** The key of an option in `options`: `stopOnError` for `--stop-on-error`. */
export const optionKey = (flags: string) =>
  (/--([\w-]+)/.exec(flags)?.[1] ?? '').replace(/-./g, (pair) => pair.slice(1).toUpperCase());

export function stringOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** For the help of every command in which people look for an import of subtitles. */
export const noImportNote =
  'The API does not accept lines: correct the lines of a work request in the web application.';
