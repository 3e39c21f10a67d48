import { type Hints, orUndefined, usageError } from '../errors.ts';
import { words } from '../values/commandLine.ts';
import { climbs, controls } from './request.ts';

/** `https://host/path`, or `//host/path` as in the service's `$links`. */
const withHost = /^(?<scheme>[a-z][a-z\d+.-]*:)?\/\/(?<authority>[^/?]*)(?<path>.*)$/is;

/** Rejects a path that leads out of the base URL, or could be read that way. */
export function targetUrl(target: string, baseUrl: URL): URL {
  checkCharacters(target);
  const address = withHost.exec(target)?.groups;
  if (address) checkHost(address, baseUrl);
  const given = address?.path ?? (/^[/?]/.test(target) ? target : `/${target}`);
  // `/api` is the service's own name for the base URL's path.
  const below = afterPrefix(given, baseUrl.pathname) ?? afterPrefix(given, '/api');
  const path = below ?? (address ? undefined : given);
  if (path === undefined) throw outsideError(target, baseUrl);
  checkSegments(path.replace(/\?.*/s, ''), target);
  const url = new URL(baseUrl.href + path);
  // A second line of defence, in case the checks above miss something.
  if (url.origin !== baseUrl.origin || afterPrefix(url.pathname, baseUrl.pathname) === undefined) {
    throw outsideError(target, baseUrl);
  }
  return url;
}

const refusal = (target: string, why: string, hint?: Hints) =>
  usageError(`the path ${JSON.stringify(target)} ${why}`, hint, { value: target });

const mistakes: readonly (readonly [RegExp, why: string, hint?: string])[] = [
  [/#/, 'contains "#"', 'For the character itself, write %23.'],
  [controls, 'contains control characters'],
  [/^\s|\s$/, 'starts or ends with a space'],
  [/^[^?]*\\/, 'contains a backslash', 'Use / instead.'],
];

function checkCharacters(target: string): void {
  if (target === '') {
    const hint = { text: 'For example:', command: words`mar api /assets/a-1001` };
    throw refusal(target, 'is empty', hint);
  }
  if (!target.isWellFormed()) throw refusal(target, 'contains half a character');
  for (const [pattern, why, hint] of mistakes) {
    if (pattern.test(target)) throw refusal(target, why, hint);
  }
}

function checkHost(
  { scheme, authority = '', path = '' }: Record<string, string>,
  baseUrl: URL,
): void {
  if (authority.includes('@')) {
    throw usageError('the address contains a user name or password', 'Remove them.');
  }
  const address = `${scheme ?? baseUrl.protocol}//${authority}`;
  if (!URL.canParse(`${address}/`)) throw usageError(`"${address}" is not a valid address`);
  const url = new URL(`${address}/`);
  if (url.protocol === baseUrl.protocol && url.host === baseUrl.host) return;
  throw usageError(
    `the address is at ${url.protocol}//${url.host}, but you are logged in to ${baseUrl.origin}`,
    `Your token is sent to no other host. For the same path on ${baseUrl.host}, give only ${afterPrefix(path, '/api') || '/'}`,
  );
}

function afterPrefix(path: string, prefix: string): string | undefined {
  const after = path.slice(prefix.length);
  return path.startsWith(prefix) && /^(?:[/?]|$)/.test(after) ? after : undefined;
}

/** Rejects segments that a URL parser or a server could read as another path. */
function checkSegments(path: string, target: string): void {
  for (const segment of path.split('/')) {
    const decoded = orUndefined(() => decodeURIComponent(segment));
    if (decoded === undefined) {
      const hint = 'For the character itself, write %25.';
      throw refusal(target, 'contains an invalid "%" escape', hint);
    }
    if (climbs(decoded) || controls.test(decoded)) {
      throw refusal(
        target,
        'is not allowed, because it could mean another path',
        'Write it without "." and ".." as names, and without control characters.',
      );
    }
  }
}

const outsideError = (target: string, baseUrl: URL) =>
  usageError(`${JSON.stringify(target)} is not under the base URL ${baseUrl.href}`, {
    value: target,
  });
