import type { Agent, ClientRequest } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HttpRequest } from './message.ts';
import type { Trust } from './trust.ts';

/** Most services close a connection that is idle for 5 seconds or longer, and a write must not meet that. */
const maxIdleMs = 4000;

export const proxyVariables = 'HTTPS_PROXY, HTTP_PROXY or ALL_PROXY';

/** The way to a service, with the connections that are kept. */
export interface Route {
  /** Starts a request. `tunnelSignal` ends the wait for a tunnel. */
  open(
    request: HttpRequest,
    headers: Record<string, string>,
    tunnelSignal?: AbortSignal,
  ): ClientRequest;
  agent: Agent;
  proxy?: URL;
  /** Connects to a host through the proxy. If undefined, the proxy gets the requests themselves. */
  tunnel?(host: string, port: number, signal?: AbortSignal): Promise<Socket>;
}

export async function directRoute(url: URL, trust: Trust): Promise<Route> {
  const module = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return routeOf(module, { ...addressOf(url), ...trust });
}

export function routeOf(
  { Agent, request }: typeof import('node:http') | typeof import('node:https'),
  options: RequestOptions,
  pathOf = ({ pathname, search }: URL) => pathname + search,
): Route {
  const agent = new Agent({ keepAlive: true, timeout: maxIdleMs });
  const shared = { ...options, agent };
  return {
    open: ({ method, url }, headers, tunnelSignal) =>
      request({ ...shared, method, path: pathOf(url), headers, tunnelSignal } as RequestOptions),
    agent,
  };
}

/** Host and port for a socket, which takes an IPv6 address without its brackets. */
export function addressOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort };
}

/** A socket that may be one of TLS. */
export type Connection = Socket & Partial<Pick<TLSSocket, 'encrypted' | 'getPeerCertificate'>>;

/** Adds the certificate to Node's error if it is not accepted: Node checks it after this event. */
export function keepCertificate(socket: Connection): void {
  socket.prependOnceListener('secure', () => {
    const cert = socket.getPeerCertificate?.();
    socket.once('error', (error) => Object.assign(error, { cert }));
  });
}
