import { isLoopback, isLoopbackName, loopbackLookup, plainHttpError } from './loopback.ts';
import { directRoute, type Lookup, type Route } from './route.ts';

export interface Connections {
  to(url: URL): Promise<Route>;
  /** Drops the kept connections, which would keep the process alive. */
  close(): void;
}

export interface ConnectionOptions {
  env: Readonly<Record<string, string | undefined>>;
  caCert?: string;
  /** Plain http may leave this machine. */
  allowHttp?: boolean;
}

export function createConnections(options: ConnectionOptions): Connections {
  const routes = new Map<string, Promise<Route>>();
  return {
    to(url) {
      const route = routes.get(url.origin) ?? findRoute(url, options);
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
  const trust = caCert ? await (await import('./trust.ts')).loadTrust(caCert, env) : {};
  const proxy = await findProxy(url, env);
  const isGuarded = url.protocol === 'http:' && !allowHttp;
  const lookup = isGuarded ? localLookup(url, proxy ?? url) : {};
  if (!proxy) return directRoute(url, trust, lookup);
  const { proxyRoute } = await import('./proxy.ts');
  return proxyRoute(proxy, url, trust, lookup);
}

/**
 * Plain http is allowed as long as it stays on this machine. The name alone proves nothing, so the
 * address that it resolves to is checked as well.
 */
function localLookup(url: URL, first: URL): Lookup {
  if (!isLoopback(url.hostname)) throw plainHttpError(url);
  if (!isLoopbackName(first.hostname)) return {};
  return { lookup: loopbackLookup };
}

/** Loads the rules for proxies only if a proxy is set, which most machines do without. */
export async function findProxy(url: URL, env: ConnectionOptions['env']): Promise<URL | undefined> {
  const isSet = Object.keys(env).some((name) => /_proxy$/i.test(name) && env[name]);
  if (!isSet) return undefined;
  const { proxyFor } = await import('./proxy.ts');
  return proxyFor(url, env);
}
