import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { Route } from './connections.ts';
import { ResponseOrder } from './responseOrder.ts';
import type { Trust } from './trust.ts';

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
