/** Decides the exit code, which only `main.ts` maps it to. */
export type ErrorKind =
  /** The service failed or sent an unusable response, or mar has a bug. */
  | 'service'
  /** Invalid flags or input; nothing was sent. */
  | 'usage'
  | 'refused'
  | 'auth'
  | 'not-found'
  /** Somebody else changed the record; nothing was written. */
  | 'changed'
  | 'network'
  /** Rows of a batch failed, or their outcome is unknown. */
  | 'batch'
  | 'wait-timeout'
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

  /** The same error with one more line in its hint. */
  withHint(line: string): MarError {
    const { kind, message, details, isUnsent } = this;
    const hint = details.hint ? `${details.hint}\n${line}` : line;
    return new MarError(kind, message, { ...details, hint, isUnsent, cause: this });
  }

  /** Combines failures. Any kind wins over `not-found`, which is the mildest. */
  static together(failures: readonly MarError[]): MarError {
    const worst = failures.find(({ kind }) => kind !== 'not-found') ?? (failures[0] as MarError);
    const distinct = (texts: (string | undefined)[]) =>
      [...new Set(texts.filter(Boolean))].join('\n') || undefined;
    return new MarError(worst.kind, distinct(failures.map(({ message }) => message)) ?? '', {
      ...worst.details,
      hint: distinct(failures.map(({ details }) => details.hint)),
      cause: worst,
    });
  }
}

export function usageError(message: string, hint?: string): MarError {
  return new MarError('usage', message, { hint });
}

export const fieldError = (field: string, problem: string, hint?: string): MarError =>
  new MarError('usage', `${field}: ${problem}`, { field, hint });

export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
