import {
  baseUrlHint,
  type ErrorKind,
  type Hints,
  MarError,
  orUndefined,
  runHint,
} from '../errors.ts';
import { outcomeUnknownHints } from '../http/failure.ts';
import { type HttpResponse, requestIdOf } from '../http/message.ts';
import { printableResponse } from '../http/printable.ts';
import { retryAfter, transientStatuses } from '../http/retries.ts';
import { words } from '../values/commandLine.ts';
import { formatSeconds } from '../values/duration.ts';

const maxExcerpt = 500;

export function statusError(
  response: HttpResponse,
  loginHint: Hints = runHint('To log in again', words`mar login`),
): MarError {
  const { request, status, headers } = response;
  const [kind, headline, hint] = explain(response, loginHint);
  const words = isRedirect(status) ? '' : errorMessage(response);
  const record = status === 404 ? request.record : undefined;
  const isRepeated = words === '' || (record && isOnlyNotFound(words, record.id));
  // Only a 4xx proves that nothing was written.
  const writeOutcome = status >= 400 && status < 500 ? 'refused' : 'unknown';
  const isSafe = request.isRead || status === 429;
  return new MarError(kind, isRepeated ? headline : `${headline}: ${words}`, {
    hint,
    outcome: request.isRead ? undefined : writeOutcome,
    retryable: (isSafe && transientStatuses.has(status)) || undefined,
    status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(headers),
    retryAfterMs: retryAfter(headers['retry-after']),
    body: bodyExcerpt(response),
    ...record,
  });
}

/** The service's words add nothing to `asset a-1 not found`. */
const isOnlyNotFound = (message: string, id: string) =>
  message.includes(id) || /^not[ -]?found[.!]?$/i.test(message);

export function bodyExcerpt(response: HttpResponse): string | undefined {
  const text = printableResponse(response);
  return response.redactor.excerpt(text, maxExcerpt) || undefined;
}

const isRedirect = (status: number) => status >= 300 && status < 400;

type Explanation = [kind: ErrorKind, headline: string, hint?: Hints];

function explain(response: HttpResponse, loginHint: Hints): Explanation {
  const { request, status } = response;
  const { method, url, record, isRead } = request;
  const place = `${method} ${url.pathname}`;
  const accessHint = 'Ask the operators of the service for access, or log in with another account.';
  const changed = isRead
    ? `${place}: the record has changed (412)`
    : 'the record changed since you read it, so nothing was written';
  const refused = `${url.host} refused ${place} (${status})`;
  // Redirects are not followed: a redirected write was rejected, a redirected read is useless.
  const redirectKind = isRead ? 'service' : 'refused';
  const known: Readonly<Record<number, Explanation>> = {
    304: [redirectKind, `${place}: the record has not changed, so the service sent none (304)`],
    401: ['auth', `${url.host} did not accept these credentials`, loginHint],
    403: ['auth', `this account has no access to ${place} (403)`, accessHint],
    404: [
      'not-found',
      record
        ? `${record.resource} ${record.id} not found`
        : `${method} ${orUndefined(() => decodeURI(url.pathname)) ?? url.pathname}: not found`,
    ],
    412: [
      'changed',
      changed,
      isRead ? 'Try again.' : 'Read the record again, then repeat your change.',
    ],
    413: ['refused', refused, 'The record is larger than the service accepts.'],
    429: ['rate-limited', `${url.host} is busy: too many requests (429)`, retryHint(response)],
  };
  if (known[status]) return known[status];
  if (isRedirect(status)) {
    const headline = `${place} was redirected, and mar does not follow redirects`;
    return [redirectKind, headline, redirectHint(response)];
  }
  if (status >= 400 && status < 500) return ['refused', refused];
  const headline = `${url.host} could not handle ${place} (${status})`;
  if (status < 500) return ['service', headline];
  return ['service', headline, isRead ? retryHint(response) : outcomeUnknownHints(request)];
}

function retryHint({ headers }: HttpResponse): string {
  const waitMs = retryAfter(headers['retry-after']);
  if (waitMs === 0) return 'Try again.';
  return waitMs === undefined
    ? 'Try again later.'
    : `Try again in ${formatSeconds(waitMs / 1000)}.`;
}

function redirectHint({ request, headers, redactor }: HttpResponse): Hints {
  const { url: from, mayIssueToken } = request;
  const { location } = headers;
  const check = ['Check the base URL.', baseUrlHint];
  if (!location || !URL.canParse(location, from.href)) return check;
  // These parts of a URL may hold secrets.
  const hidden = { username: '', password: '', search: '', hash: '' };
  const to = Object.assign(new URL(location, from), hidden);
  // The target of a login's redirect may hold the new token in its path.
  const place = mayIssueToken && to.pathname !== from.pathname ? to.origin : to.href;
  return [`It points to ${redactor.excerpt(place, maxExcerpt)}`, ...check];
}

const maxMessage = 2000;

/** The service does not document its error bodies, so anything like a message is taken for one. */
export function errorMessage(response: HttpResponse): string {
  const { redactor } = response;
  const body = printableResponse(response);
  const message = findMessage(
    orUndefined(() => JSON.parse(body)),
    5,
  );
  if (message !== undefined) {
    const start = redactor.excerpt(message, maxMessage + 1);
    return start.length > maxMessage ? `${start.slice(0, maxMessage)}…` : start;
  }
  return redactor.excerpt(body, maxExcerpt).replace(/\s+/g, ' ').trim();
}

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  const { message, error, errors } = value as Record<string, unknown>;
  const fields = Array.isArray(value) ? value : [message, error, errors];
  const found = fields.map((field) => findMessage(field, depth - 1)).filter(Boolean);
  return Array.isArray(value) ? found.join('; ') || undefined : found[0];
}
