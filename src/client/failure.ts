import { hideSecrets } from '../api/secrets.ts';
import { type ErrorKind, MarError } from '../errors.ts';
import { type HttpAnswer, type HttpRequest, isRead, requestIdOf } from '../http/message.ts';
import { withoutCredentials } from '../http/redact.ts';
import { retryAfter } from '../http/retry.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';

const shownBodyLength = 500;

/** An answer that is not a success, as an error that says what the service said. */
export function statusError(
  request: HttpRequest,
  answer: HttpAnswer,
  loginHint = 'log in again: mar login (mar whoami tells which profile it was)',
): MarError {
  const { status } = answer;
  const body = withoutSecrets(answer.body.toString('utf8'));
  const said = status >= 300 && status < 400 ? undefined : message(body);
  const reason = said ? `: ${said}` : '';
  return new MarError(kindOf(status, request.method), `${headline(status, request)}${reason}`, {
    hint: status === 401 ? loginHint : hint(request, answer),
    status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(answer.headers),
    retryAfterMs: retryAfter(answer.headers['retry-after']),
    body: body === '' ? undefined : body.slice(0, shownBodyLength),
  });
}

/** A service may well quote the record that it refuses. */
function withoutSecrets(body: string): string {
  if (!body.includes('password')) return body;
  try {
    return printJson(hideSecrets(parseJson(body, { lastKeyCounts: true })));
  } catch {
    return body;
  }
}

function kindOf(status: number, method: string): ErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not-found';
  if (status === 412) return 'changed';
  if (status >= 400 && status < 500) return 'refused';
  // A redirect is not followed: of a write it is a refusal, of a read an answer of no use.
  if (status >= 300 && status < 400 && !isRead(method)) return 'refused';
  return 'service';
}

function headline(status: number, { method, url }: HttpRequest): string {
  const place = `${method} ${url.pathname}`;
  switch (status) {
    case 304:
      return `${place} was not modified`;
    case 401:
      return `${url.host} did not accept these credentials`;
    case 403:
      return `${place} is not allowed for this account`;
    case 404:
      return `${readable(url.pathname)} was not found`;
    case 412:
      return `${place}: the record has changed in the meantime; nothing was written`;
    case 429:
      return `${url.host} is asked too often`;
    default:
      if (status >= 300 && status < 400) return `${place} was redirected, and was not followed`;
      if (status >= 400 && status < 500) return `${url.host} refused ${place} (${status})`;
      return `${url.host} failed at ${place} (${status})`;
  }
}

function hint({ method }: HttpRequest, { status, headers }: HttpAnswer): string | undefined {
  if (status === 403) return 'ask for access, or use another account: mar login';
  if (status === 412) return 'read it again, and do it again on top of that';
  if (status === 413) return 'the record is larger than the service takes';
  if (status >= 300 && status < 400 && headers.location) {
    return `it points to ${target(headers.location)}: is that the base URL to use?`;
  }
  if (status >= 500 && !isRead(method)) {
    return `whether the ${method} was carried out is unknown: look before you send it again`;
  }
  if (status !== 429 && status < 500) return undefined;
  const waitMs = retryAfter(headers['retry-after']);
  return waitMs === undefined ? 'try again later' : `try again in ${describeWait(waitMs)}`;
}

/** A path as it was typed, where that can be told. */
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Without what may be a secret in it: a user and a password, a signed query. */
const target = (location: string) => withoutCredentials(location).replace(/[?#].*/s, '');

function describeWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 120) return `${seconds} s`;
  const hours = seconds / 3600;
  return hours <= 48 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(hours / 24)} d`;
}

/** The error bodies of the service are not documented: whatever reads as a message is one. */
function message(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body.trim().slice(0, shownBodyLength);
  }
  return find(value, 5) ?? body.trim().slice(0, shownBodyLength);
}

/** Not deeper than a message can be expected. */
function find(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const found = value.map((item) => find(item, depth - 1)).filter((text) => text !== undefined);
    return found.length > 0 ? found.join('; ') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, errors } = value as Record<string, unknown>;
  return find(message, depth - 1) ?? find(error, depth - 1) ?? find(errors, depth - 1);
}
