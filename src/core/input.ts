import { type EndpointId, endpoints, type Resource } from './api/endpoints.ts';
import {
  type FlagFacts,
  type Hint,
  type Hints,
  type MarError,
  runHint,
  usageError,
  withFacts,
} from './errors.ts';
import type { View } from './output/viewType.ts';
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
  /** A field of the record that the command writes. If it writes any, a field of all of them. */
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
  /**
   * `-f, --file <file>`; a switch has no `<value>`. The value of `--skip-checks[=names]` follows an equals
   * sign, or is absent.
   */
  flags: string;
  summary: string;
  default?: string;
  /** May be repeated; its value is then a list. */
  many?: true;
  choices?: readonly string[];
  /** The value may be several choices, with commas between them. */
  isList?: true;
  /** Long names of options that cannot be given together with this one. */
  excludes?: readonly string[];
  /** The option without which this one has no meaning: `--from FILE`. One of several is enough. */
  needs?: string;
  /** Advice for somebody who gives both options, by the name in `excludes`. */
  relationHints?: Readonly<Record<string, Hints>>;
  completes?: Completes;
  /** The heading in help; `Flags` if absent. */
  group?: string;
}

export const option = (
  flags: string,
  summary: string,
  more: Omit<Option, 'flags' | 'summary'> = {},
): Option => ({ flags, summary, ...more });

/** The arguments, flags and endpoint of a command. */
export interface Declaration {
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** Each endpoint belongs to exactly one command. */
  endpoint?: EndpointId;
  /** The error for too many arguments, where people may expect that the command takes one. */
  unexpectedArgument?(): MarError;
}

export interface GivenOption {
  name: string;
  value: string;
  /** The flag or argument that the user gave, if a command turned it into this one. */
  source?: FlagFacts;
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

/** `--file` for `-f, --file <file>`. */
export const longName = (flags: string) => flags.match(/--[\w-]+/g)?.at(-1) ?? '';

/** The key of an option in `options`: `stopOnError` for `--stop-on-error`. */
export const optionKey = (flags: string) =>
  longName(flags)
    .slice(2)
    .replace(/-./g, (pair) => pair.slice(1).toUpperCase());

export function stringOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** `--stop-on-error` for `stopOnError`. */
export const flagOf = (key: string) =>
  `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Reads the value of an option, if it is given. A usage error about it gets both as facts. */
export function readOption<Result>(
  input: Input,
  key: string,
  read: (text: string) => Result,
): Result | undefined {
  const value = stringOption(input, key);
  return value === undefined
    ? undefined
    : withFacts({ flag: flagOf(key), value }, () => read(value));
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

/** Every command that writes a record has --dry-run. */
export const isWriting = ({ options = [] }: Declaration): boolean =>
  options.some(({ flags }) => flags === '--dry-run');

/** True if `readIds` has something to do. Most command lines do not load it. */
export const hasIdsToRead = (command: Declaration, input: Input): boolean =>
  input.arguments.some(mayBeAddress) ||
  input.given.some(({ value }) => mayBeAddress(value)) ||
  (command.arguments ?? []).some(
    ({ optional }, at) => !optional && input.arguments[at] === undefined,
  );

export const usageHint = (path: string): Hint =>
  runHint('For usage', ['mar', ...path.split(' ').filter(Boolean), '--help']);

export const missingArgument = (name: string, path: string) =>
  usageError(`missing argument <${name}>`, usageHint(path));

export const choicesIn = (value: string) => value.split(',').map((word) => word.trim());

/** The error for a value that is none of the choices. */
export function invalidChoice(
  declared: Argument | Option | undefined,
  value: unknown,
): MarError | undefined {
  if (typeof value !== 'string' || !declared?.choices) return;
  const { choices: allowed } = declared;
  const words = 'isList' in declared ? choicesIn(value) : [value];
  if (words.every((word) => allowed.includes(word))) return;
  const [term, flag] =
    'flags' in declared
      ? [declared.flags, longName(declared.flags)]
      : [`<${declared.name}>`, undefined];
  const hint = `Allowed values: ${allowed.join(', ')}`;
  return usageError(`invalid value "${value}" for ${term}`, hint, { flag, value, allowed });
}

/** The error for a flag that may be given once and has two values. */
export function twoValues({ flags }: Option, before: unknown, value: string): MarError | undefined {
  if (typeof before !== 'string' || before === value) return;
  const flag = longName(flags);
  const message = `${flag} has two values: "${before}" and "${value}"`;
  return usageError(message, `Give ${flag} once.`, { flag, value });
}

export function checkOptions(options: readonly Option[], values: Input['options']): void {
  const given = options.filter(({ flags }) => values[optionKey(flags)] !== undefined);
  for (const option of given) {
    const invalid = invalidChoice(option, values[optionKey(option.flags)]);
    if (invalid) throw invalid;
  }
  for (const { flags, excludes = [], relationHints = {} } of given) {
    const flag = longName(flags);
    const other = excludes.find((name) => values[optionKey(name)] !== undefined);
    if (other) {
      const message = `${flag} and ${other} cannot be used together`;
      throw usageError(message, relationHints[other], { flag });
    }
  }
  for (const { flags, needs = '' } of given) {
    const flag = longName(flags);
    const needed = needs.match(/--[\w-]+/g);
    if (needed?.every((name) => values[optionKey(name)] === undefined)) {
      throw usageError(`${flag} needs ${needs}`, { flag });
    }
  }
}
