import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import type { SecureContext } from 'node:tls';
import { usageError } from '../errors.ts';
import type { HttpRequest } from './message.ts';

/** The way to a service. */
export interface Route {
  /** Begins a request; `signal` ends what it waits for before there is a connection. */
  open(request: HttpRequest, headers: Record<string, string>, signal: AbortSignal): ClientRequest;
  close(): void;
  /** Where it goes through. */
  proxy?: URL;
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
}

/** Kept connections, straight or through a proxy; one agent for each origin. */
export function createConnections({ env, caCert }: ConnectionOptions): Connections {
  const routes = new Map<string, Promise<Route>>();
  return {
    to(url) {
      const known = routes.get(url.origin);
      const route = known ?? findRoute(url, env, caCert);
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
  env: ConnectionOptions['env'],
  caCert: string | undefined,
): Promise<Route> {
  const trust = caCert ? await trusted(caCert, env) : {};
  const proxy = await findProxy(url, env);
  if (proxy) {
    const { routeThrough } = await import('./proxyRoute.ts');
    return routeThrough(proxy, url, trust);
  }
  const module = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const agent = new module.Agent({ keepAlive: true });
  return {
    open: (request, headers) =>
      module.request(request.url, { method: request.method, headers, agent, ...trust }),
    close: () => agent.destroy(),
  };
}

/** Most machines have none, and need not load how to choose one. */
export async function findProxy(url: URL, env: ConnectionOptions['env']): Promise<URL | undefined> {
  const isSet = Object.keys(env).some((name) => /_proxy$/i.test(name) && env[name]);
  if (!isSet) return undefined;
  const { proxyFor } = await import('./proxy.ts');
  return proxyFor(url, env);
}

/** What a connection trusts. Made once: to read all certificates takes longer than a handshake. */
export interface Trust {
  secureContext?: SecureContext;
}

/** Node's own certificates, those of `NODE_EXTRA_CA_CERTS`, and the file's: naming any drops the rest. */
export async function trusted(file: string, env: ConnectionOptions['env']): Promise<Trust> {
  const { createSecureContext, rootCertificates } = await import('node:tls');
  const extra = env.NODE_EXTRA_CA_CERTS;
  const own = await readCertificates(file);
  const ca = [...rootCertificates, ...(extra ? [readQuietly(extra)] : []), own];
  return { secureContext: createSecureContext({ ca }) };
}

async function readCertificates(file: string): Promise<string> {
  const { X509Certificate } = await import('node:crypto');
  try {
    const text = readFileSync(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const problem =
      code === 'ENOENT' ? 'there is no such file' : `it is no certificate (${message})`;
    throw usageError(`--ca-cert ${file}: ${problem}`, 'give a file of certificates in PEM form');
  }
}

/** Node itself goes on without a file that it cannot read. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
