import { type ErrorKind, MarError } from '../errors.ts';
import { outcomeUnknownHint } from '../http/failure.ts';
import { type HttpRequest, type HttpResponse, isRead, requestIdOf } from '../http/message.ts';
import { printableResponse } from '../http/printable.ts';
import type { Redactor } from '../http/redact.ts';
import { retryAfter } from '../http/transport.ts';
import { commandLine } from '../values/commandLine.ts';

/** How hints name the base URL, with the command that prints it. */
export const baseUrlName = 'the base URL (mar whoami)';

const maxExcerpt = 500;

export function statusError(
  request: HttpRequest,
  response: HttpResponse,
  loginHint = 'log in again: mar login (mar whoami tells which profile it was)',
): MarError {
  const { status } = response;
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect ? '' : errorMessage(printableResponse(response), response.redactor);
  const reason = message ? `: ${message}` : '';
  return new MarError(kindOf(status, request.method), `${headline(status, request)}${reason}`, {
    hint: status === 401 ? loginHint : hint(request, response),
    status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(response.headers),
    retryAfterMs: retryAfter(response.headers['retry-after']),
    body: bodyExcerpt(response),
  });
}

export function bodyExcerpt(response: HttpResponse): string | undefined {
  const text = printableResponse(response);
  return response.redactor.excerpt(text, maxExcerpt) || undefined;
}

function kindOf(status: number, method: string): ErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not-found';
  if (status === 412) return 'changed';
  if (status >= 400 && status < 500) return 'refused';
  // Redirects are not followed: a redirected write was rejected, a redirected read is useless.
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

function hint(request: HttpRequest, response: HttpResponse): string | undefined {
  const { status, headers } = response;
  if (status === 403) return 'ask for access, or use another account: mar login';
  if (status === 412) return 'read it again, and do it again on top of that';
  if (status === 413) return 'the record is larger than the service takes';
  if (status >= 300 && status < 400 && status !== 304) return redirectHint(request, response);
  if (status >= 500 && !isRead(request.method)) return outcomeUnknownHint(request);
  if (status !== 429 && status < 500) return undefined;
  const waitMs = retryAfter(headers['retry-after']);
  return waitMs === undefined ? 'try again later' : `try again in ${describeWait(waitMs)}`;
}

function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parts of a URL that may hold secrets. */
const withoutSecrets = { username: '', password: '', search: '', hash: '' };

function redirectHint({ url: from }: HttpRequest, response: HttpResponse): string {
  const { headers, redactor, mayHoldToken } = response;
  const { location } = headers;
  const check = `check ${baseUrlName}`;
  if (!location || !URL.canParse(location, from.href)) return check;
  const to = Object.assign(new URL(location, from), withoutSecrets);
  const base = baseOf(to);
  const isOther = base !== undefined && base !== baseOf(from);
  // The target of a login's redirect may hold the new token in its path.
  const place = mayHoldToken && to.pathname !== from.pathname ? to.origin : to.href;
  return [
    `it points to ${redactor.excerpt(place, maxExcerpt)}`,
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

const maxMessage = 2000;
/** For a body that has no message. */
const maxBody = 500;
/** The start of a web page is enough to find its text. */
const maxWebPage = 20_000;

/** The service does not document its error bodies, so anything like a message is taken for one. */
function errorMessage(body: string, redactor: Redactor): string {
  const message = findMessage(parsed(body), 5);
  if (message !== undefined) {
    const start = redactor.excerpt(message, maxMessage + 1);
    return start.length > maxMessage ? `${start.slice(0, maxMessage)}…` : start;
  }
  const text = isWebPage(body) ? webPageText(redactor.excerpt(body, maxWebPage)) : body;
  return redactor.excerpt(text, maxBody).replace(/\s+/g, ' ').trim();
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const found = value
      .map((item) => findMessage(item, depth - 1))
      .filter((text) => text !== undefined);
    return found.length > 0 ? found.join('; ') : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, errors } = value as Record<string, unknown>;
  return (
    findMessage(message, depth - 1) ??
    findMessage(error, depth - 1) ??
    findMessage(errors, depth - 1)
  );
}

export const isWebPage = (body: string) => /^\s*<(?:!doctype|html)/i.test(body);

/** The visible text of a web page, which is how proxies and gateways respond. */
function webPageText(page: string): string {
  const [, title = ''] = /<title[^>]*>(.*?)<\/title>/is.exec(page) ?? [];
  const body = page.replace(/<(head|script|style)\b.*?<\/\1>|<!--.*?-->/gis, ' ');
  const text = body.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ');
  return text.trim() || title;
}
