import type { Agent, ClientRequest, RequestOptions } from 'node:http';
import type { HttpRequest } from './message.ts';
import { ResponseOrder } from './responseOrder.ts';
import type { Trust } from './trust.ts';

export interface Route {
  /** Starts a request. `signal` ends the wait for a connection. */
  open(request: HttpRequest, headers: Record<string, string>, signal: AbortSignal): ClientRequest;
  close(): void;
  order: ResponseOrder;
  proxy?: URL;
  trust?: Trust;
}

export type Lookup = Pick<RequestOptions, 'lookup'>;

export async function directRoute(url: URL, trust: Trust, lookup: Lookup): Promise<Route> {
  const module = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const agent = new module.Agent({ keepAlive: true });
  const options = { agent, ...trust, ...lookup };
  return routeOf(agent, ({ method, url }, headers) =>
    module.request(url, { method, headers, ...options }),
  );
}

export const routeOf = (agent: Agent, open: Route['open']): Route => ({
  open,
  close: () => agent.destroy(),
  order: new ResponseOrder(),
});

/** Host and port for a socket, which takes an IPv6 address without its brackets. */
export function addressOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort };
}
