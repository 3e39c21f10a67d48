import { type ErrorKind, MarError } from '../errors.ts';
import {
  type HttpRequest,
  type HttpResponse,
  isRead,
  outcomeUnknownHint,
  requestIdOf,
} from '../http/message.ts';
import { printableResponse } from '../http/printable.ts';
import type { Redactor } from '../http/redact.ts';
import { retryAfter } from '../http/transport.ts';
import { commandLine } from '../values/commandLine.ts';

/** How much of what came is shown. */
const shownLength = 500;

/** An answer that is not a success, as an error that says what the service said. */
export function statusError(
  request: HttpRequest,
  answer: HttpResponse,
  loginHint = 'log in again: mar login (mar whoami tells which profile it was)',
): MarError {
  const { status } = answer;
  const isRedirect = status >= 300 && status < 400;
  const said = isRedirect ? '' : messageIn(printableResponse(answer), answer.redactor);
  const reason = said ? `: ${said}` : '';
  return new MarError(kindOf(status, request.method), `${headline(status, request)}${reason}`, {
    hint: status === 401 ? loginHint : hint(request, answer),
    status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(answer.headers),
    retryAfterMs: retryAfter(answer.headers['retry-after']),
    body: bodyExcerpt(answer),
  });
}

/** The beginning of a response's body, for a program to look at. */
export function bodyExcerpt(answer: HttpResponse): string | undefined {
  const text = printableResponse(answer);
  return answer.redactor.excerpt(text, shownLength) || undefined;
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

function hint(request: HttpRequest, answer: HttpResponse): string | undefined {
  const { status, headers } = answer;
  if (status === 403) return 'ask for access, or use another account: mar login';
  if (status === 412) return 'read it again, and do it again on top of that';
  if (status === 413) return 'the record is larger than the service takes';
  if (status >= 300 && status < 400 && status !== 304) return redirectHint(request, answer);
  if (status >= 500 && !isRead(request.method)) return outcomeUnknownHint(request);
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

/** What may be a secret in an address. */
const bare = { username: '', password: '', search: '', hash: '' };

/** Where it points to, and the base URL that the service would have there. */
function redirectHint({ url: from }: HttpRequest, answer: HttpResponse): string {
  const { headers, redactor, mayHoldToken } = answer;
  const { location } = headers;
  const check = 'check the base URL (mar whoami)';
  if (!location || !URL.canParse(location, from.href)) return check;
  const to = Object.assign(new URL(location, from), bare);
  const base = baseOf(to);
  const isOther = base !== undefined && base !== baseOf(from);
  // Of a login, a path that is not our own may hold the new token.
  const place = mayHoldToken && to.pathname !== from.pathname ? to.origin : to.href;
  return [
    `it points to ${redactor.excerpt(place, shownLength)}`,
    isOther ? `if that is the service: ${commandLine`mar login --base-url ${base}`}` : check,
  ].join('\n');
}

/** Every base URL ends in `/api`. */
function baseOf({ protocol, host, pathname }: URL): string | undefined {
  const path = /^.*?\/api(?=\/|$)/.exec(pathname)?.[0];
  return path && `${protocol}//${host}${path}`;
}

function describeWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 120) return `${seconds} s`;
  const hours = seconds / 3600;
  return hours <= 48 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(hours / 24)} d`;
}

/** Of a message; an error is a few lines. */
const longestMessage = 2000;
/** Of a body without one. */
const longestBody = 500;
/** Of a web page, whose beginning tells. */
const longestPage = 20_000;

/** The error bodies of the service are not documented: whatever reads as a message is one. */
function messageIn(body: string, redactor: Redactor): string {
  const message = find(parsed(body), 5);
  if (message !== undefined) {
    const start = redactor.excerpt(message, longestMessage + 1);
    return start.length > longestMessage ? `${start.slice(0, longestMessage)}…` : start;
  }
  const text = isWebPage(body) ? textOf(redactor.excerpt(body, longestPage)) : body;
  return redactor.excerpt(text, longestBody).replace(/\s+/g, ' ').trim();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Not deeper than a message can be expected. */
function find(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const found = value.map((item) => find(item, depth - 1)).filter((text) => text !== undefined);
    return found.length > 0 ? found.join('; ') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, errors } = value as Record<string, unknown>;
  return find(message, depth - 1) ?? find(error, depth - 1) ?? find(errors, depth - 1);
}

export const isWebPage = (body: string) => /^\s*<(?:!doctype|html)/i.test(body);

/** What a web page says to people: proxies and gateways answer with one. */
function textOf(page: string): string {
  const [, title = ''] = /<title[^>]*>(.*?)<\/title>/is.exec(page) ?? [];
  const body = page.replace(/<(head|script|style)\b.*?<\/\1>|<!--.*?-->/gis, ' ');
  const text = body.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.trim() || title;
}
