/**
 * The kinds of errors. Scripts depend on these: a published exit code never changes. Help and docs are
 * made from them. `next` is advice for a script or its user.
 */
export const exitCodes = {
  service: {
    code: 1,
    meaning: 'the service failed (5xx) or sent an unusable response; a bug',
    next: 'try again later; after a write, first check whether it was done',
  },
  unconfirmed: {
    code: 1,
    meaning: 'the response to a write does not confirm it',
    next: 'check whether it was done before you send it again',
  },
  'rate-limited': {
    code: 1,
    meaning: 'the service is busy (429)',
    next: 'try again later; `retryAfterMs` is there if the service says when',
  },
  filter: { code: 1, meaning: 'the filter of `--jq` failed', next: 'fix the filter' },
  local: {
    code: 1,
    meaning: 'something on this machine failed, such as a full disk',
    next: 'fix that; after a write, first check whether it was done',
  },
  'wait-failed': {
    code: 1,
    meaning: '`wr wait` found a status that `--fail-status` names',
    next: 'read the record: `mar wr get`',
  },
  usage: {
    code: 2,
    meaning: 'invalid command or input; no write was sent',
    next: 'fix the command or the input',
  },
  refused: {
    code: 3,
    meaning: 'refused by the service (400, 409, 422 and other 4xx)',
    next: 'read the message, and fix the request',
  },
  'did-not-take': {
    code: 3,
    meaning: 'the service accepted a write, but did not change a field',
    next: 'read the record; the fields are in the error',
  },
  check: {
    code: 3,
    meaning: 'mistakes in subtitles, or what `--fail-late` or `--fail` look for',
    next: 'read the findings',
  },
  auth: {
    code: 4,
    meaning: 'not logged in, or not allowed (401, 403)',
    next: 'log in again, check `MAR_TOKEN`, or ask for access',
  },
  'not-found': { code: 5, meaning: 'not found, such as a record (404)', next: 'check the id' },
  changed: {
    code: 6,
    meaning: 'the record changed since you read it (also 412); nothing was written',
    next: 'read it again, then repeat your change',
  },
  network: {
    code: 7,
    meaning: 'network: connection refused, reset or timed out; DNS, proxy, TLS',
    next: 'read `hint`; after a write, read `outcome` before you try again',
  },
  batch: {
    code: 8,
    meaning:
      'a batch, or its `--check`, ended with rows that failed, are invalid, in conflict, of unknown outcome, or were not sent',
    next: 'read the report',
  },
  'wait-timeout': { code: 9, meaning: '`wr wait` ran out of time', next: 'wait longer' },
  'credential-store': {
    code: 10,
    meaning: 'the keychain is locked or unavailable, or the `token-command` failed',
    next: 'unlock it, or set `MAR_TOKEN` or `MAR_TOKEN_FILE`',
  },
  'placed-before': {
    code: 11,
    meaning: 'the same order or event was sent before, or may have been; nothing was written',
    next: '`earlier`, in the error or in its `rows`, is that one; ask before you send it again',
  },
  interrupted: {
    code: 130,
    meaning: 'interrupted (Ctrl-C), or you answered no to a question',
    next: '',
  },
  terminated: { code: 143, meaning: 'terminated (SIGTERM, SIGHUP)', next: '' },
} satisfies Record<string, { code: number; meaning: string; next: string }>;

export type ErrorKind = keyof typeof exitCodes;

/** The meaning of 0, which no error has. */
export const successMeaning = 'done, or nothing to change';

/** One row for each code, with the meanings of all its kinds. */
export function exitCodeRows(): (readonly [code: string, meaning: string])[] {
  const meanings = new Map([['0', successMeaning]]);
  for (const { code, meaning } of Object.values(exitCodes)) {
    const before = meanings.get(String(code));
    meanings.set(String(code), before === undefined ? meaning : `${before}; ${meaning}`);
  }
  return [...meanings].sort(([a], [b]) => Number(a) - Number(b));
}

/** A word of a command that the reader replaces: `{ placeholder: 'ID' }`. */
export type CommandWord = string | { readonly placeholder: string };

/** The next step. */
export interface Hint {
  /** A sentence. If a command follows, the sentence leads to it: `To log in, run:`. */
  text: string;
  /** The words of a command line, the program included. */
  command?: readonly CommandWord[];
  /**
   * `command-line`: it names flags or keys that an agent does not have. `person`: only a person may decide
   * this, such as overwriting, repeating or skipping a check. Otherwise it is for every reader.
   */
  for?: 'command-line' | 'person';
}

/** One hint or several. A string is a sentence for every reader. */
export type Hints = string | Hint | readonly (string | Hint)[];

export const hintList = (hints: Hints): Hint[] =>
  [hints].flat().map((one) => (typeof one === 'string' ? { text: one } : one));

const distinctHints = (hints: readonly Hint[]): Hint[] => [
  ...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values(),
];

/** `To log in, run: mar login` */
export const runHint = (purpose: string, command: readonly CommandWord[]): Hint => ({
  text: `${purpose}, run:`,
  command,
});

/** Where the base URL of a run is printed. */
export const baseUrlHint = runHint('To see it', ['mar', 'whoami']);

/** A hint for people at a command line: it names flags. */
export const onCommandLine = (text: string): Hint => ({ text, for: 'command-line' });

/** Only a person knows the service better than mar does. */
export const personHint = (purpose: string, command: readonly CommandWord[]): Hint => ({
  ...runHint(purpose, command),
  for: 'person',
});

/** A hint that only a person may follow. */
export const forPerson = (text: string): Hint => ({ text, for: 'person' });

export interface ErrorDetails {
  /** Replaces the hints. */
  hint?: Hints;
  hints?: readonly Hint[];
  status?: number;
  method?: string;
  url?: string;
  requestId?: string;
  /** The invalid field of a record. */
  field?: string;
  retryAfterMs?: number;
  body?: string;
  /** The kind of the record that was not found, such as `work request`. */
  resource?: string;
  /** Of that record, or of the order that was placed before. */
  id?: string;
  /** All failures, if there are several; the other fields are those of the worst. */
  errors?: readonly Failure[];
  /** Fields that somebody else changed too. */
  conflicts?: readonly { path: string; yours?: unknown; theirs?: unknown }[];
  /** The first rows of a batch that are not done, and why; `rowCount` counts all of them. */
  rows?: readonly Omit<RowProblem, 'hint'>[];
  rowCount?: number;
  cause?: unknown;
  /** Only for a write. With `unknown`, the service may have carried it out. */
  outcome?: 'not-sent' | 'refused' | 'unknown';
  /** Sending the same request again is safe, and may succeed. */
  retryable?: boolean;
  /** The wrong flag, value or fields, what was probably meant, and the values to choose from. */
  flag?: string;
  value?: string;
  suggestion?: string;
  allowed?: readonly string[];
  fields?: readonly FieldFacts[];
  /** The work requests that did not reach a status, and the status that they have. */
  ids?: readonly string[];
  recordStatus?: string;
  /** Earlier orders that are the same as this one. */
  earlier?: readonly EarlierOrder[];
}

/** An order of this machine, or a work request that it has seen. */
export interface EarlierOrder {
  outcome: string;
  /** The id of the work request, if it is known. */
  id?: string;
  /** When it was placed, in ISO 8601, and where it came from. */
  at?: string;
  by?: string;
  file?: string;
  row?: number;
}

export type FieldFacts = { path: string } & Partial<Omit<FieldProblem, 'field' | 'hint'>>;

export interface FieldProblem {
  field: string;
  value?: unknown;
  suggestion?: string;
  /** The check that found it, as --skip-checks names it. */
  check?: string;
  message: string;
  /** Advice for this problem. The error has it as one of its hints. */
  hint?: Hint;
  /** The assumption about the service that it rests on. */
  rests?: Assumption | Certain;
}

/** A fact of the description of the service, and the value with which it would accept the record. */
export interface Assumption {
  key: string;
  value: string;
}

/** The API documents it, or it is wrong whatever the service does: the error of a formula. */
export type Certain = 'documented' | 'mistake';

/** A problem for which a write is refused: it says on what it rests. */
export type Refusal = FieldProblem & Required<Pick<FieldProblem, 'rests'>>;

/** The advice for several problems, each once. */
export const hintsOf = (problems: readonly { hint?: Hint }[]): Hint[] =>
  distinctHints(problems.flatMap(({ hint }) => hint ?? []));

export interface RowProblem extends Omit<FieldProblem, 'field'> {
  row: number;
  line: number;
  field?: string;
  /** Where the field is in a workbook: C7. */
  cell?: string;
  /** The text that several rows share: they get one line. */
  cause?: string;
  earlier?: EarlierOrder;
}

/** The facts that the code which reads a flag knows. */
export type FlagFacts = Pick<ErrorDetails, 'flag' | 'value'>;

/** They promise that nothing was written. */
const unsentKinds: readonly ErrorKind[] = ['usage', 'changed', 'placed-before'];

type Failure = { kind: ErrorKind; message: string } & ErrorDetails;

export class MarError extends Error {
  readonly kind: ErrorKind;
  readonly details: Omit<ErrorDetails, 'cause' | 'hint'>;

  constructor(kind: ErrorKind, message: string, { cause, hint, ...details }: ErrorDetails = {}) {
    super(message, { cause });
    this.name = 'MarError';
    this.kind = kind;
    this.details = hint === undefined ? details : { ...details, hints: hintList(hint) };
  }

  get hints(): readonly Hint[] {
    return this.details.hints ?? [];
  }

  /** All that programs get, except the exit code. */
  get facts(): Failure {
    const { kind, message, details } = this;
    const isUnsent = unsentKinds.includes(kind);
    const outcome = isUnsent ? ('not-sent' as const) : undefined;
    return { kind, message, outcome, ...details, cause: causeCode(this.cause) };
  }

  with(details: ErrorDetails): MarError {
    return new MarError(this.kind, this.message, { ...this.details, cause: this, ...details });
  }

  /** Adds a hint. */
  withHint(hint: Hints): MarError {
    return this.with({ hint: [...this.hints, ...hintList(hint)] });
  }

  /** Combines failures. Any kind wins over `not-found`, which is the mildest. */
  static together(failures: readonly MarError[]): MarError {
    const worst = failures.find(({ kind }) => kind !== 'not-found') ?? (failures[0] as MarError);
    if (failures.length === 1) return worst;
    const messages = new Set(failures.map(({ message }) => message));
    const hints = failures.flatMap((failure) => failure.hints);
    return new MarError(worst.kind, [...messages].join('\n'), {
      ...worst.details,
      hint: distinctHints(hints),
      ...(worst.details.ids && { ids: failures.flatMap(({ details }) => details.ids ?? []) }),
      errors: failures.map(({ facts }) => facts),
      cause: worst,
    });
  }
}

/** The code of the error below this one, such as ECONNRESET. */
function causeCode(cause: unknown): string | undefined {
  const code = systemCode(cause);
  if (code !== undefined) return code === 'ETIMEDOUT' ? 'timeout' : code;
  return cause instanceof Error ? causeCode(cause.cause) : undefined;
}

/** Facts without a hint may take its place. */
export function usageError(
  message: string,
  hint?: Hints | ErrorDetails,
  facts: ErrorDetails = {},
): MarError {
  return new MarError('usage', message, isHints(hint) ? { hint, ...facts } : hint);
}

const isHints = (given: Hints | ErrorDetails | undefined): given is Hints | undefined =>
  typeof given !== 'object' || Array.isArray(given) || 'text' in given;

export const nameFacts = (name: string) =>
  name.startsWith('--') ? { flag: name } : { field: name };

/** `name` is a field, or a flag. */
export const fieldError = (name: string, problem: string, facts: ErrorDetails = {}): MarError =>
  usageError(`${name}: ${problem}`, undefined, { ...facts, ...nameFacts(name) });

/** Adds the flag and its value to a usage error of the work, unless the error names a flag itself. */
export function withFacts<Result>({ flag, value }: FlagFacts, work: () => Result): Result {
  const complete = (error: unknown): never => {
    if (!(error instanceof MarError) || error.kind !== 'usage' || error.details.flag) throw error;
    throw error.with({ flag, value: error.details.value ?? value });
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(complete) as Result) : result;
  } catch (error) {
    return complete(error);
  }
}

/** Anything else than a MarError is a bug. */
export function asMarError(error: unknown): MarError {
  if (error instanceof MarError) return error;
  return new MarError('service', `mar failed unexpectedly: ${messageOf(error)}`, {
    hint: 'This is a bug in mar. Please report it with the output that MAR_DEBUG=1 adds.',
    cause: error,
  });
}

/** After an abort, every error counts as the abort. One of the same kind may carry a hint. */
export function afterAbort({ aborted, reason }: AbortSignal, error: unknown): unknown {
  const isSameKind = error instanceof MarError && error.kind === reason?.kind;
  return aborted && !isSameKind ? reason : error;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** For work that may fail without consequences. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
