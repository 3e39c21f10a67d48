import type { IncomingHttpHeaders } from 'node:http';
import { hideSecrets } from '../api/secrets.ts';
import { type ErrorKind, MarError } from '../errors.ts';
import { type HttpAnswer, type HttpRequest, requestIdOf } from '../http/message.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';

const shownBodyLength = 500;

/** An answer that is not a success, as an error that says what the service said. */
export function statusError(request: HttpRequest, answer: HttpAnswer): MarError {
  const { status } = answer;
  const body = withoutSecrets(answer.body.toString('utf8'));
  const said = status >= 300 && status < 400 ? undefined : message(body);
  const reason = said ? `: ${said}` : '';
  return new MarError(kindOf(status, request.method), `${headline(status, request)}${reason}`, {
    hint: hint(status, answer.headers),
    status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(answer.headers),
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

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

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
      return `${decodeURI(url.pathname)} was not found`;
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

function hint(status: number, headers: IncomingHttpHeaders): string | undefined {
  if (status === 401) return 'log in again: mar login';
  if (status === 403) return 'ask for access, or use another account: mar login';
  if (status === 429) {
    const seconds = headers['retry-after'];
    return seconds ? `try again in ${seconds} s` : 'try again later';
  }
  if (status >= 300 && status < 400 && headers.location) {
    // Without its query: that is where signatures and keys are.
    return `it points to ${headers.location.replace(/[?#].*/s, '')}: is that the base URL to use?`;
  }
  return status >= 500 ? 'try again later' : undefined;
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
