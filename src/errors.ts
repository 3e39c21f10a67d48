/** Decides the exit code: see `exitCodes.ts`. */
export type ErrorKind =
  /** The service failed or sent an unusable response, or mar has a bug. */
  | 'service'
  /** Invalid flags or input; nothing was sent. */
  | 'usage'
  | 'refused'
  | 'auth'
  | 'not-found'
  /** The service is busy (429); `retryAfterMs` is the time to wait, if it says so. */
  | 'rate-limited'
  /** Somebody else changed the record; nothing was written. */
  | 'changed'
  | 'network'
  /** Rows of a batch failed, or their outcome is unknown. */
  | 'batch'
  | 'wait-timeout'
  /** A `--jq` filter failed on a record. */
  | 'filter'
  /** The awaited record reached a status that counts as a failure. */
  | 'wait-failed'
  | 'credential-store'
  | 'interrupted'
  | 'terminated';

export interface ErrorDetails {
  hint?: string;
  status?: number;
  method?: string;
  url?: string;
  requestId?: string;
  /** The invalid field of a record. */
  field?: string;
  retryAfterMs?: number;
  body?: string;
  /** The kind of the record that was not found, such as `work request`, and its id. */
  resource?: string;
  id?: string;
  /** All failures, if there are several; the other fields are those of the worst. */
  errors?: readonly Failure[];
  /** Fields that somebody else changed too. */
  conflicts?: readonly { path: string; yours?: unknown; theirs?: unknown }[];
  /** The first rows of a batch that are not done, and why; `rowCount` counts all of them. */
  rows?: readonly RowProblem[];
  rowCount?: number;
  cause?: unknown;
  /** No byte of the request was sent, so sending it again is safe. */
  isUnsent?: boolean;
}

export interface RowProblem {
  row: number;
  line: number;
  field?: string;
  message: string;
}

type Failure = { kind: ErrorKind; message: string } & Omit<ErrorDetails, 'cause' | 'isUnsent'>;

export class MarError extends Error {
  readonly kind: ErrorKind;
  readonly details: Omit<ErrorDetails, 'cause' | 'isUnsent'>;
  readonly isUnsent: boolean;

  constructor(
    kind: ErrorKind,
    message: string,
    { cause, isUnsent = false, ...details }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.name = 'MarError';
    this.kind = kind;
    this.details = details;
    this.isUnsent = isUnsent;
  }

  /** Adds a line to the hint. */
  withHint(line: string): MarError {
    const { kind, message, details, isUnsent } = this;
    const hint = details.hint ? `${details.hint}\n${line}` : line;
    return new MarError(kind, message, { ...details, hint, isUnsent, cause: this });
  }

  /** One error for each message. Failures with the same message share one, with all request ids. */
  get distinct(): MarError[] {
    const { errors } = this.details;
    if (!errors) return [this];
    const byText = new Map<string, Failure>();
    for (const failure of errors) {
      const text = `${failure.message}\n${failure.hint}`;
      const ids = [byText.get(text)?.requestId, failure.requestId].filter(Boolean);
      byText.set(text, { ...failure, requestId: ids.join(', ') || undefined });
    }
    return [...byText.values()].map(
      ({ kind, message, ...details }) => new MarError(kind, message, details),
    );
  }

  /** Combines failures. Any kind wins over `not-found`, which is the mildest. */
  static together(failures: readonly MarError[]): MarError {
    const worst = failures.find(({ kind }) => kind !== 'not-found') ?? (failures[0] as MarError);
    if (failures.length === 1) return worst;
    const distinct = (texts: (string | undefined)[]) =>
      [...new Set(texts.filter(Boolean))].join('\n') || undefined;
    return new MarError(worst.kind, distinct(failures.map(({ message }) => message)) ?? '', {
      ...worst.details,
      hint: distinct(failures.map(({ details }) => details.hint)),
      errors: failures.map(({ kind, message, details }) => ({ kind, message, ...details })),
      cause: worst,
    });
  }
}

/** Changes the hints of an error, those of combined failures too. */
export function withHints(error: MarError, change: (hint: string) => string): MarError {
  const { kind, message, details, isUnsent } = error;
  const changed = <Holder extends { hint?: string }>(holder: Holder): Holder =>
    holder.hint === undefined ? holder : { ...holder, hint: change(holder.hint) };
  const errors = details.errors && { errors: details.errors.map(changed) };
  return new MarError(kind, message, { ...changed(details), ...errors, isUnsent, cause: error });
}

export function usageError(message: string, hint?: string): MarError {
  return new MarError('usage', message, { hint });
}

export const fieldError = (field: string, problem: string, hint?: string): MarError =>
  new MarError('usage', `${field}: ${problem}`, { field, hint });

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
