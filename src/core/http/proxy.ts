import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { orUndefined, usageError } from '../errors.ts';
import type { Environment } from '../values/environment.ts';
import { isLoopback } from './loopback.ts';
import { addressOf, keepCertificate, proxyVariables, type Route, routeOf } from './route.ts';
import type { Trust } from './trust.ts';

export function proxyFor(url: URL, env: Environment): URL | undefined {
  const scheme = url.protocol.replace(':', '');
  const value = variable(env, `${scheme}_proxy`) || variable(env, 'all_proxy');
  if (!value || isExcluded(url, variable(env, 'no_proxy') ?? '')) return undefined;
  const proxy = parseProxy(value);
  // Plain http to this machine is safe because nobody else can read it; a proxy elsewhere could.
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  return isLocal && !isLoopback(proxy.hostname) ? undefined : proxy;
}

const variable = (env: Environment, name: string) => env[name] || env[name.toUpperCase()];

function parseProxy(value: string): URL {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  // With an unescaped `/`, `#` or `?` in the password, the user name is parsed as the host.
  const isMisread = proxy && /@|%40/i.test(proxy.pathname + proxy.search + proxy.hash);
  if (proxy && /^https?:$/.test(proxy.protocol) && !isMisread) return proxy;
  // The value may hold a password, so the message does not quote it.
  throw usageError(
    `the proxy in ${proxyVariables} is not an http or https URL`,
    'For example: http://proxy.example:3128',
  );
}

/** `NO_PROXY` lists names, suffixes, addresses and ranges of addresses, each with or without a port. */
function isExcluded(url: URL, list: string): boolean {
  const address = addressOf(url);
  const host = address.host.toLowerCase();
  const entries = list.toLowerCase().split(/[,\s]+/);
  return entries.filter(Boolean).some((entry) => {
    // `a.example:8080` or `[::1]:8080`; a bare IPv6 address has no port.
    if (isIP(entry.split('/')[0] ?? '') === 6) return matches(host, entry);
    const [, inBrackets, plain, port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
    const isOnPort = port === undefined || port === String(address.port);
    return isOnPort && matches(host, inBrackets ?? plain ?? entry);
  });
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
  // A range that Node does not accept contains nothing.
  orUndefined(() => addresses.addSubnet(network, Number(bits), kind));
  return addresses.check(host, kind);
}

/** The proxy itself gets no client certificate, which is only for the service. */
type Trusts = Readonly<Record<'trust' | 'proxyTrust', Trust>>;

export function proxyRoute(proxy: URL, url: URL, trusts: Trusts): Route {
  return url.protocol === 'https:'
    ? tunnelRoute(proxy, url, trusts)
    : relayRoute(proxy, trusts.proxyTrust);
}

/** The signal ends the wait for the tunnel: a request cannot be aborted before it has a socket. */
type TunnelOptions = https.RequestOptions & { tunnelSignal?: AbortSignal };
type Done = (error: Error | null, socket?: Duplex) => void;

function tunnelRoute(proxy: URL, url: URL, { trust, proxyTrust }: Trusts): Route {
  const route = routeOf(https, { ...addressOf(url), ...trust });
  const tunnel = (host: string, port: number, signal?: AbortSignal) =>
    new Promise<Socket>((resolve, reject) => {
      const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      const connecting = moduleFor(proxy).request({
        ...addressOf(proxy),
        method: 'CONNECT',
        path: authority,
        // The headers for the service, with its Authorization, must not reach the proxy.
        headers: { Host: authority, ...proxyAuthorization(proxy) },
        agent: false,
        signal,
        ...proxyTrust,
      });
      connecting.once('socket', keepCertificate);
      connecting.once('error', reject);
      connecting.once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode >= 200 && statusCode < 300) return resolve(socket);
        socket.destroy();
        const message = `the proxy responded with ${statusCode}`;
        reject(Object.assign(new Error(message), { proxyStatus: statusCode }));
      });
      connecting.end();
    });
  // Node calls this for each new connection.
  route.agent.createConnection = (options: TunnelOptions, done: Done) => {
    const host = options.host ?? '';
    tunnel(host, Number(options.port), options.tunnelSignal).then(
      (socket) => {
        // Node leaves the name empty for an IP address: the certificate is checked for the host.
        const servername = options.servername || undefined;
        done(null, tls.connect({ ...trust, socket, servername, host }));
      },
      (error: Error) => done(error),
    );
    return undefined;
  };
  return { ...route, proxy, tunnel };
}

function relayRoute(proxy: URL, trust: Trust): Route {
  const options = { ...addressOf(proxy), ...trust };
  const route = routeOf(moduleFor(proxy), options, ({ href }) => href);
  const authorization = proxyAuthorization(proxy);
  return {
    ...route,
    open: (request, headers) =>
      route.open(request, { ...headers, Host: request.url.host, ...authorization }),
    proxy,
  };
}

const moduleFor = ({ protocol }: URL) => (protocol === 'https:' ? https : http);

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decode(username)}:${decode(password)}`;
  const value = Buffer.from(credentials).toString('base64');
  return { 'Proxy-Authorization': `Basic ${value}` };
}

/** A password with an unescaped % is used unchanged. */
const decode = (part: string) => orUndefined(() => decodeURIComponent(part)) ?? part;
