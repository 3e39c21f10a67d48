import { type EndpointId, endpoints, type Resource } from './api/endpoints.ts';
import { usageError } from './errors.ts';
import type { View } from './output/view.ts';
import type { ValueName } from './records/knownValues.ts';

/* Flags and arguments: how a command declares them, and what the user gave. */

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

/** What a command takes. */
export interface Declaration {
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** Each endpoint belongs to exactly one command. */
  endpoint?: EndpointId;
  /** Throws if flags are wrong. Runs before a missing id is offered. */
  checkFlags?(input: Input): unknown;
}

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

/** The resource of an argument or flag that takes ids; `any` if it is none of the known ones. */
export function idResource(
  { completes, flags = '' }: Pick<Argument, 'completes'> & { flags?: string },
  { endpoint }: Pick<Declaration, 'endpoint'>,
): Resource | 'any' | undefined {
  if (completes === 'id') return endpoint ? endpoints[endpoint].resource : 'any';
  if (typeof completes === 'object' && 'idOf' in completes) return completes.idOf;
  return flags.includes('<id>') ? 'any' : undefined;
}

/** True for text that may be more than a bare id: an address, or spaces around it. */
const mayBeAddress = (text: string) => /^\s|\s$|^(?:https?:)?\/\//i.test(text);

/** True if `readIds` has something to do. Most command lines do not load it. */
export const hasIdsToRead = (command: Declaration, input: Input): boolean =>
  input.arguments.some(mayBeAddress) ||
  input.given.some(({ value }) => mayBeAddress(value)) ||
  (command.arguments ?? []).some(
    ({ optional }, at) => !optional && input.arguments[at] === undefined,
  );

export const missingArgument = (name: string, path: string) =>
  usageError(`missing argument <${name}>`, `For usage, run: mar ${path} --help`);
