import { usageError } from '../errors.ts';
import { controls } from './request.ts';

/** `https://host/path`, or `//host/path` as in the service's `$links`. */
const withHost = /^(?<scheme>[a-z][a-z\d+.-]*:)?\/\/(?<authority>[^/?]*)(?<path>.*)$/is;

/**
 * The URL of a path below the base URL. The path may start with `/api`, or with the service's own
 * host. A path that leads elsewhere, or could be read that way, is rejected.
 */
export function targetUrl(target: string, baseUrl: URL): URL {
  checkCharacters(target);
  const address = withHost.exec(target)?.groups;
  if (address) checkHost(address.scheme ?? baseUrl.protocol, address.authority ?? '', baseUrl);
  const path = address
    ? withoutPrefix(address.path ?? '', baseUrl)
    : withoutPrefix(/^[/?]/.test(target) ? target : `/${target}`, baseUrl, { optional: true });
  if (path === undefined) throw outsideError(target, baseUrl);
  checkSegments(path.replace(/\?.*/s, ''), target);
  const url = new URL(baseUrl.href + path);
  // A second line of defence, in case the checks above miss something.
  if (url.origin !== baseUrl.origin || afterPrefix(url.pathname, baseUrl.pathname) === undefined) {
    throw outsideError(target, baseUrl);
  }
  return url;
}

function checkCharacters(target: string): void {
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
 * The part behind the base URL's path, or behind `/api`, which is the service's own name for it. With
 * `optional`, a path that has neither is returned unchanged.
 */
function withoutPrefix(path: string, baseUrl: URL, { optional = false } = {}): string | undefined {
  return (
    afterPrefix(path, baseUrl.pathname) ??
    afterPrefix(path, '/api') ??
    (optional ? path : undefined)
  );
}

function afterPrefix(path: string, prefix: string): string | undefined {
  const after = path.slice(prefix.length);
  return path.startsWith(prefix) && /^(?:[/?]|$)/.test(after) ? after : undefined;
}

/** Rejects segments that a URL parser or a server could read as another path. */
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
