import type { Settled } from '../values/concurrency.ts';
import { isTransient } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';

export const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const minBackoffMs = 200;
const maxBackoffMs = 5000;
const maxRetryAfterMs = 60_000;

/**
 * How long to wait before the request is repeated. Undefined if it is not repeated. Only a read is: a
 * failed write may have been carried out.
 */
export function retryDelay(
  { isRead }: HttpRequest,
  { result, error }: Settled<HttpResponse>,
  tryNumber: number,
  maxRetries: number,
): number | undefined {
  if (!isRead || tryNumber > maxRetries) return undefined;
  if (!result) return isTransient(error) ? backoff(tryNumber) : undefined;
  if (!transientStatuses.has(result.status)) return undefined;
  const requested = retryAfter(result.headers['retry-after']);
  if (requested === undefined) return backoff(tryNumber);
  return requested <= maxRetryAfterMs ? requested : undefined;
}

/** Random up to a limit that doubles, so that clients that failed together do not retry together. */
const backoff = (tryNumber: number) =>
  Math.random() * Math.min(maxBackoffMs, minBackoffMs * 2 ** (tryNumber - 1));

export function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : untilDate(value);
  return Number.isNaN(ms) ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, ms));
}

/** An HTTP date starts with the day of the week. `Date.parse` would accept almost anything. */
const untilDate = (value: string) =>
  /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
