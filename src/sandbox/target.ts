import { badRequest, Refusal } from './refusal.ts';

/** Where a request goes: the decoded path segments below the base URL, and the raw query. */
export interface Target {
  readonly segments: readonly string[];
  readonly query: string;
}

export const basePath = '/api';

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Reads the request target. A page on the web can make a browser send requests here under a host
 * name of its own that resolves to 127.0.0.1; its name gives it away.
 */
export function readTarget(url: string, host: string | undefined): Target {
  const [, authority = host, local = url] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) throw badRequest('the Host header is missing', 'Host');
  if (!loopback.test(authority)) {
    throw new Refusal(
      403,
      'forbidden-host',
      'the sandbox answers only to 127.0.0.1, localhost and [::1]',
      { field: 'Host' },
    );
  }
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  const query = mark < 0 ? '' : local.slice(mark + 1);
  if (!path.startsWith(`${basePath}/`)) throw noSuchPath();
  const segments = path.slice(basePath.length + 1).split('/');
  return { segments: segments.map((segment) => decode(segment, 'the path')), query };
}

export const noSuchPath = () =>
  new Refusal(404, 'not-found', `there is no such path; every path begins with ${basePath}/`);

/** The values of the parameters that are known here; others are ignored, as are empty ones. */
export function readQuery(query: string, known: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [name, value] = pair.split(/=(.*)/s, 2).map((part) => part.replaceAll('+', ' '));
    const key = decode(name ?? '', 'the query');
    if (!known.includes(key)) continue;
    if (values.has(key)) throw badRequest(`the parameter ${key} stands twice`, key);
    const decoded = decode(value ?? '', 'the query');
    if (hasControls(decoded)) throw badRequest(`${key} holds a control character`, key);
    values.set(key, decoded);
  }
  return new Map([...values].filter(([, value]) => value !== ''));
}

/** What can be the id of a record. Path segments that clients resolve away cannot. */
export const isId = (id: string): boolean =>
  id !== '' &&
  id !== '.' &&
  id !== '..' &&
  id.length <= 256 &&
  id.isWellFormed() &&
  !hasControls(id);

// SQLite's text ends at a NUL where it is read back, so none may reach it.
function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function decode(text: string, where: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`${where} holds a bad percent-encoding`);
  }
}
