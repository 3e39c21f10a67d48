import type { ClientRequest, RequestOptions } from 'node:http';
import { isLoopback, isLoopbackName, plainHttpError } from './loopback.ts';
import type { HttpRequest } from './message.ts';
import { ResponseOrder } from './responseOrder.ts';
import type { Trust } from './trust.ts';

/** The way to a service. */
export interface Route {
  /** Begins a request; `signal` ends what it waits for before there is a connection. */
  open(request: HttpRequest, headers: Record<string, string>, signal: AbortSignal): ClientRequest;
  close(): void;
  order: ResponseOrder;
  /** Where it goes through. */
  proxy?: URL;
  trust?: Trust;
}

export interface Connections {
  to(url: URL): Promise<Route>;
  /** Lets go of the kept connections, so that the program can end. */
  close(): void;
}

export interface ConnectionOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** A file of certificates to trust as well. */
  caCert?: string;
  /** Plain http may leave this machine. */
  allowHttp?: boolean;
}

/** Kept connections, straight or through a proxy; one agent for each origin. */
export function createConnections(options: ConnectionOptions): Connections {
  const routes = new Map<string, Promise<Route>>();
  return {
    to(url) {
      const known = routes.get(url.origin);
      const route = known ?? findRoute(url, options);
      routes.set(url.origin, route);
      return route;
    },
    close() {
      for (const route of routes.values()) {
        route.then(({ close }) => close()).catch(() => {});
      }
      routes.clear();
    },
  };
}

async function findRoute(
  url: URL,
  { env, caCert, allowHttp = false }: ConnectionOptions,
): Promise<Route> {
  const trust = caCert ? await (await import('./trust.ts')).trusted(caCert, env) : {};
  const proxy = await findProxy(url, env);
  const isGuarded = url.protocol === 'http:' && !allowHttp;
  const reach = isGuarded ? await staysHere(url, proxy ?? url) : {};
  if (proxy) {
    const { routeThrough } = await import('./proxy.ts');
    return routeThrough(proxy, url, trust, reach);
  }
  const module = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const agent = new module.Agent({ keepAlive: true });
  const more = { agent, ...trust, ...reach };
  return {
    open: (request, headers) =>
      module.request(request.url, { method: request.method, headers, ...more }),
    close: () => agent.destroy(),
    order: new ResponseOrder(),
  };
}

/**
 * Plain http is allowed as long as it stays on this machine. A name alone does not tell: the address
 * that it is looked up to has to be one of this machine's own.
 */
async function staysHere(url: URL, first: URL): Promise<Pick<RequestOptions, 'lookup'>> {
  if (!isLoopback(url.hostname)) throw plainHttpError(url);
  if (!isLoopbackName(first.hostname)) return {};
  const { loopbackLookup } = await import('./loopback.ts');
  return { lookup: loopbackLookup };
}

/** Most machines have none, and need not load how to choose one. */
export async function findProxy(url: URL, env: ConnectionOptions['env']): Promise<URL | undefined> {
  const isSet = Object.keys(env).some((name) => /_proxy$/i.test(name) && env[name]);
  if (!isSet) return undefined;
  const { proxyFor } = await import('./proxy.ts');
  return proxyFor(url, env);
}
