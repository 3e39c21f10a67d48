/**
 * What can go wrong, told apart by kind. A kind says whose fault it is and so which exit code it
 * gets; `main.ts` alone turns kinds into exit codes and words.
 */
export type ErrorKind =
  /** The service failed or answered something unusable, or there is a bug here. */
  | 'service'
  /** Bad flags or bad input; nothing was sent. */
  | 'usage'
  /** The service refused the content. */
  | 'refused'
  /** Not logged in, or not allowed. */
  | 'auth'
  | 'not-found'
  /** The record changed under the user; nothing was written. */
  | 'changed'
  /** The service could not be reached in time. */
  | 'network'
  /** A batch ended with rows that failed or whose outcome is unknown. */
  | 'batch'
  /** A wait ran out of time. */
  | 'wait-timeout'
  /** What was waited for ended in a way that was named as a failure. */
  | 'wait-failed'
  /** The credential store is locked or unavailable. */
  | 'credential-store'
  | 'interrupted'
  | 'terminated';

/** What is known about a failure beyond its message; absent parts are left out of the report. */
export interface ErrorDetails {
  /** What the user can do next. */
  hint?: string;
  status?: number;
  method?: string;
  url?: string;
  requestId?: string;
  /** How long the service wants to be left alone. */
  retryAfterMs?: number;
  /** The service's answer, as it came. */
  body?: string;
  /** Fields that were changed elsewhere as well. */
  conflicts?: readonly { path: string; yours?: unknown; theirs?: unknown }[];
  cause?: unknown;
  /** Nothing of the request left: to send it again cannot do it twice. */
  isUnsent?: boolean;
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

  /** Several failures as one. A missing record is the mildest of them: any other kind decides. */
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

/** The code of a system error (`ENOENT`, `ECONNREFUSED`), where there is one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
