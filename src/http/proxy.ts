import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { redacted } from '../api/secrets.ts';
import { usageError } from '../errors.ts';
import type { Route } from './connections.ts';
import { isLoopback } from './loopback.ts';
import { withoutCredentials } from './redact.ts';
import { ResponseOrder } from './responseOrder.ts';
import type { Trust } from './trust.ts';

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

/** How the proxy's own name is looked up. */
type Reach = Pick<http.RequestOptions, 'lookup'>;

/** The way through a proxy: a tunnel for TLS, and whole requests for the rest. */
export function routeThrough(proxy: URL, url: URL, trust: Trust, reach: Reach): Route {
  return url.protocol === 'https:' ? tunnelled(proxy, trust) : relayed(proxy, trust, reach);
}

function tunnelled(proxy: URL, trust: Trust): Route {
  const agent = new TunnelAgent(proxy, trust);
  return {
    proxy,
    trust,
    open({ method, url }, headers, tunnelSignal) {
      const options: https.RequestOptions & TunnelOptions = {
        method,
        headers,
        agent,
        tunnelSignal,
      };
      return https.request(url, { ...options, ...trust });
    },
    close: () => agent.destroy(),
    order: new ResponseOrder(),
  };
}

function relayed(proxy: URL, trust: Trust, reach: Reach): Route {
  const module = proxy.protocol === 'https:' ? https : http;
  const agent = new module.Agent({ keepAlive: true });
  const address = { ...proxyAddress(proxy), agent, ...trust, ...reach };
  return {
    proxy,
    open: ({ method, url }, headers) =>
      module.request({
        ...address,
        method,
        path: url.href,
        headers: { ...headers, Host: url.host, ...proxyAuthorization(proxy) },
      }),
    close: () => agent.destroy(),
    order: new ResponseOrder(),
  };
}

/** The proxy would not open a tunnel. */
class TunnelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answered ${status}`);
    this.status = status;
  }
}

/** What a request may say to the agent of its tunnel. */
interface TunnelOptions {
  /** Ends the wait for the tunnel, which the request itself knows nothing of. */
  tunnelSignal?: AbortSignal;
}

type ConnectionOptions = https.RequestOptions & TunnelOptions & Trust & { port: number };
type Done = (error: Error | null, socket?: Duplex) => void;

/** Keeps TLS connections to services that lie behind a proxy: each through a tunnel of its own. */
class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #trust: Trust;

  constructor(proxy: URL, trust: Trust) {
    super({ keepAlive: true });
    this.#proxy = proxy;
    this.#trust = trust;
  }

  // Node calls this for each new connection and takes its socket by the callback.
  override createConnection(options: ConnectionOptions, done: Done): undefined {
    const way = { trust: this.#trust, signal: options.tunnelSignal };
    openTunnel(this.#proxy, options.host ?? '', options.port, way).then(
      // An address cannot be asked for by name: Node leaves the name empty then.
      (socket) => {
        const servername = options.servername || undefined;
        const { secureContext } = options;
        // The host is what the certificate must be for, where there is no name.
        const host = options.host ?? undefined;
        done(null, tls.connect({ secureContext, socket, servername, host }));
      },
      (error: Error) => done(error),
    );
    return undefined;
  }
}

/** Asks a proxy for a connection to a host. */
export function openTunnel(
  proxy: URL,
  host: string,
  port: number,
  { trust, signal }: { trust?: Trust; signal?: AbortSignal } = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const { request } = proxy.protocol === 'https:' ? https : http;
    const asking = request({
      ...proxyAddress(proxy),
      method: 'CONNECT',
      path: authority,
      // The service's headers, its Authorization among them, are not for the proxy.
      headers: { Host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      signal,
      ...trust,
    });
    asking.once('error', reject);
    asking.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new TunnelRefused(statusCode));
    });
    asking.end();
  });
}

const proxyAddress = ({ protocol, hostname, port }: URL) => ({
  protocol,
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

/** For a proxy that knows its users: name and password stand in its address. */
function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decode(username)}:${decode(password)}`;
  const value = Buffer.from(credentials).toString('base64');
  return { 'Proxy-Authorization': `Basic ${value}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A password with a bare % in it: it is meant as it stands.
    return text;
  }
}
