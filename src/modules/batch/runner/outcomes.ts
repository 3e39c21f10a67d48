import { asMarError, MarError } from '../../../core/errors.ts';
import type { HttpResponse } from '../../../core/http/message.ts';
import type { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { truncate } from '../../../core/values/width.ts';

export type RowOutcome =
  | { kind: 'done'; id: string; record: ServiceRecord }
  /** The record already had the values of the row. */
  | { kind: 'unchanged'; id: string }
  /** `unknown` rows may have been carried out, `unsent` ones never reached the service. */
  | { kind: 'failed' | 'unknown' | 'unsent' | 'locked-out' | 'throttled'; error: MarError }
  /** Found before anything was sent, or by the service that compared the tag of the record. */
  | { kind: 'conflict' | 'invalid'; error: MarError };

/** The outcome of a write that failed. */
export function outcomeOfFailure(failure: unknown, response: HttpResponse | undefined): RowOutcome {
  const error = asMarError(failure);
  // Only a 4xx proves that nothing was written: an unreadable response or a redirect does not.
  if (!response || response.status < 400 || response.status >= 500) {
    return { kind: error.details.outcome === 'not-sent' ? 'unsent' : 'unknown', error };
  }
  if (response.status === 401) return { kind: 'locked-out', error };
  if (response.status === 412) return { kind: 'conflict', error };
  return { kind: response.status === 429 ? 'throttled' : 'failed', error };
}

const maxFields = 3;
const maxValueWidth = 60;

/** `asset a-1 was changed …: name (theirs "B", yours "C")` */
function inOneLine(error: MarError): MarError {
  const { conflicts = [] } = error.details;
  const shown = (value: unknown) =>
    value === undefined ? 'none' : truncate(JSON.stringify(value), maxValueWidth);
  const fields = conflicts
    .slice(0, maxFields)
    .map(({ path, theirs, yours }) => `${path} (theirs ${shown(theirs)}, yours ${shown(yours)})`);
  const more = conflicts.length - fields.length;
  if (more > 0) fields.push(`${more} more`);
  const [first = ''] = error.message.split('\n');
  return new MarError('changed', `${first}: ${fields.join(', ')}`, error.details);
}

/** Nothing was sent yet, whatever the error. */
export function outcomeOfRead(failure: unknown): RowOutcome {
  const error = asMarError(failure);
  const { kind, details } = error;
  if (kind === 'changed') return { kind: 'conflict', error: inOneLine(error) };
  if (kind === 'rate-limited') return { kind: 'throttled', error };
  if (kind === 'auth' && details.status !== 403) return { kind: 'locked-out', error };
  const isRefused = kind === 'auth' || ['usage', 'refused', 'not-found'].includes(kind);
  return { kind: isRefused ? 'invalid' : 'unsent', error };
}
