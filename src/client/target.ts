import { usageError } from '../errors.ts';
import { controls } from './request.ts';

/** `https://host/path`, or `//host/path` as the service writes its `$links`. */
const withHost = /^(?<scheme>[a-z][a-z\d+.-]*:)?\/\/(?<authority>[^/?]*)(?<path>.*)$/is;

/**
 * The address of a path below the base URL, given with or without `/api`, or with the service's own
 * host. What lies elsewhere, or could be read as lying elsewhere, is refused.
 */
export function targetUrl(target: string, baseUrl: URL): URL {
  checkText(target);
  const address = withHost.exec(target)?.groups;
  if (address) checkHost(address.scheme ?? baseUrl.protocol, address.authority ?? '', baseUrl);
  const path = address
    ? withoutPrefix(address.path ?? '', baseUrl)
    : withoutPrefix(/^[/?]/.test(target) ? target : `/${target}`, baseUrl, { optional: true });
  if (path === undefined) throw outsideError(target, baseUrl);
  checkSegments(path.replace(/\?.*/s, ''), target);
  const url = new URL(baseUrl.href + path);
  // The checks above leave no way out; should there be one after all, nothing goes through it.
  if (url.origin !== baseUrl.origin || rest(url.pathname, baseUrl.pathname) === undefined) {
    throw outsideError(target, baseUrl);
  }
  return url;
}

function checkText(target: string): void {
  const refuse = (why: string, hint?: string) =>
    usageError(`the path ${JSON.stringify(target)} ${why}`, hint);
  if (target === '') throw refuse('is empty', 'for example /assets/a-1001');
  if (target.includes('#')) throw refuse('has a "#" part', 'write %23 for the character itself');
  if (controls.test(target) || !target.isWellFormed()) throw refuse('holds control characters');
  if (target !== target.trim()) throw refuse('begins or ends with a blank');
  if (target.replace(/\?.*/s, '').includes('\\')) throw refuse('holds a backslash');
}

function checkHost(scheme: string, authority: string, baseUrl: URL): void {
  if (authority.includes('@')) {
    throw usageError('the address holds a user name or password', 'leave them out');
  }
  let url: URL;
  try {
    url = new URL(`${scheme}//${authority}/`);
  } catch {
    throw usageError(`"${scheme}//${authority}" is not an address`);
  }
  if (url.protocol === baseUrl.protocol && url.host === baseUrl.host) return;
  throw usageError(
    `the address is at ${url.protocol}//${url.host}, and you are logged in to ${baseUrl.origin}`,
    'credentials go to no other place; use --profile or --base-url for another service',
  );
}

/**
 * What follows the base URL's path, or the `/api` that the service itself knows that path by. A path
 * that has neither is taken as it is where that is optional.
 */
function withoutPrefix(path: string, baseUrl: URL, { optional = false } = {}): string | undefined {
  return rest(path, baseUrl.pathname) ?? rest(path, '/api') ?? (optional ? path : undefined);
}

/** What follows a prefix that ends where a segment ends. */
function rest(path: string, prefix: string): string | undefined {
  const after = path.slice(prefix.length);
  return path.startsWith(prefix) && /^(?:[/?]|$)/.test(after) ? after : undefined;
}

/** What a URL's parser, or a server behind it, would read as another path. */
function checkSegments(path: string, target: string): void {
  for (const segment of path.split('/')) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      throw usageError(
        `the path ${JSON.stringify(target)} has a "%" that encodes nothing`,
        'write %25 for the character itself',
      );
    }
    const climbs = decoded.split(/[/\\]/).some((part) => part === '.' || part === '..');
    if (climbs || controls.test(decoded)) {
      throw usageError(
        `the path ${JSON.stringify(target)} is refused: ${JSON.stringify(decoded)} could mean another path`,
      );
    }
  }
}

function outsideError(target: string, baseUrl: URL): Error {
  return usageError(`${JSON.stringify(target)} is not below ${baseUrl.href}`);
}
