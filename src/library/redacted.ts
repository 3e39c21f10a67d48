import { type ErrorDetails, MarError } from '../errors.ts';
import type { Redactor } from '../http/redact.ts';

/** The same failure without the credentials in use: a service may well quote what it refuses. */
export function redacted(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof MarError)) return error;
  const clean = (value: unknown) => (typeof value === 'string' ? redactor.clean(value) : value);
  const details = Object.fromEntries(
    Object.entries(error.details).map(([name, value]) => [name, clean(value)]),
  ) as ErrorDetails;
  const cause = redacted(error.cause, redactor);
  return new MarError(error.kind, redactor.clean(error.message), { ...details, cause });
}
