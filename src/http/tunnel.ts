import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { Trust } from './trust.ts';

/** The proxy would not open a tunnel. */
class TunnelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy answered ${status}`);
    this.status = status;
  }
}

/** What a request may say to the agent of its tunnel. */
export interface TunnelOptions {
  /** Ends the wait for the tunnel, which the request itself knows nothing of. */
  tunnelSignal?: AbortSignal;
}

type ConnectionOptions = https.RequestOptions & TunnelOptions & Trust & { port: number };
type Done = (error: Error | null, socket?: Duplex) => void;

/** Keeps TLS connections to services that lie behind a proxy: each through a tunnel of its own. */
export class TunnelAgent extends https.Agent {
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

export const proxyAddress = ({ protocol, hostname, port }: URL) => ({
  protocol,
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

/** For a proxy that knows its users: name and password stand in its address. */
export function proxyAuthorization({ username, password }: URL): Record<string, string> {
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
