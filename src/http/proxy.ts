import { BlockList, isIP } from 'node:net';
import { redacted } from '../api/secrets.ts';
import { usageError } from '../errors.ts';
import { isLoopback } from './loopback.ts';
import { withoutCredentials } from './redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for an address, by the variables that everybody uses; small letters win. */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const scheme = url.protocol.replace(':', '');
  const value = variable(env, `${scheme}_proxy`) || variable(env, 'all_proxy');
  if (!value || isExcluded(url, variable(env, 'no_proxy') ?? '')) return undefined;
  const proxy = parseProxy(value);
  return leavesMachine(url, proxy) ? undefined : proxy;
}

/** Plain http to this machine is fine because nobody else can read it: a proxy elsewhere could. */
const leavesMachine = (url: URL, proxy: URL) =>
  url.protocol === 'http:' && isLoopback(url.hostname) && !isLoopback(proxy.hostname);

const variable = (env: Environment, name: string) => env[name] || env[name.toUpperCase()];

function parseProxy(value: string): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = proxy?.protocol === 'http:' || proxy?.protocol === 'https:';
  if (proxy && isHttp && !hasMisplacedPassword(proxy)) return proxy;
  // The value is not quoted: it may hold a password.
  throw usageError(
    'the proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is not an http or https address',
    'for example http://proxy.example:3128',
  );
}

/** With a bare `/`, `#` or `?` in a password, the user's name is read as the host. */
const hasMisplacedPassword = ({ pathname, search, hash }: URL) =>
  /@|%40/i.test(pathname + search + hash);

/** A host, with a port or without. */
const plainHost = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?\/?$/i;

/** A proxy as it may be shown. What is not plainly an address may be a password. */
export function describeProxy(value: string): string {
  const shown = withoutCredentials(value.trim());
  const place = shown.replace(/^(?:https?|socks\w*):\/\//i, '').replace(`${redacted}@`, '');
  return plainHost.test(place) ? shown : redacted;
}

/** `NO_PROXY` as it may be shown. */
export const describeNoProxy = (list: string): string =>
  list
    .split(/[,\s]+/)
    .map((entry) => (excludedHost.test(entry) ? entry : redacted))
    .join(',');

/** `.example`, `*.example:80`, `10.0.0.0/8`, `[::1]:80`; or nothing, between two commas. */
const excludedHost =
  /^(?:[*\w.-]*(?::\d{1,5})?|[\d.]+\/\d{1,3}|\[?[\da-f:.]+\]?(?::\d{1,5}|\/\d{1,3})?)$/i;

/** `NO_PROXY`: names, suffixes with a dot, addresses, ranges of addresses, each with a port or not. */
function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const { name, onPort } = parseEntry(entry);
      return (onPort === undefined || onPort === port) && matches(host, name);
    });
}

/** `a.example:8080`, `[::1]:8080`; the colons of a bare IPv6 address are its own. */
function parseEntry(entry: string): { name: string; onPort?: string } {
  if (isIP(entry.split('/')[0] ?? '') === 6) return { name: entry };
  const [, inBrackets, plain, onPort] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: inBrackets ?? plain ?? entry, onPort };
}

function matches(host: string, name: string): boolean {
  if (name === '*' || host === name) return true;
  if (name.includes('/')) return isInRange(host, name);
  const suffix = name.replace(/^\*?\.?/, '.');
  return isIP(host) === 0 && suffix !== '.' && host.endsWith(suffix);
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(host);
  if (family === 0 || family !== isIP(network) || !/^\d{1,3}$/.test(bits)) return false;
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  const addresses = new BlockList();
  try {
    addresses.addSubnet(network, Number(bits), kind);
  } catch {
    return false;
  }
  return addresses.check(host, kind);
}
