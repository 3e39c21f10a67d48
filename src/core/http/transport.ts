import { messageOf } from '../errors.ts';
import { settle } from '../values/concurrency.ts';
import { pause } from '../values/duration.ts';
import { exchange } from './exchange.ts';
import { isUnknownIssuer } from './failure.ts';
import { isLoopback, plainHttpError } from './loopback.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { learnTokens } from './printable.ts';
import type { Redactor } from './redact.ts';
import { retryDelay } from './retries.ts';
import { directRoute, type Route } from './route.ts';
import type { Trace } from './trace.ts';
import type { Trust, TrustOptions } from './trust.ts';

export type Transport = ReturnType<typeof createTransport>;

export interface TransportOptions extends TrustOptions {
  timeoutMs: number;
  /** Aborts every request that has no signal of its own. */
  signal?: AbortSignal;
  /** Trust the certificates of the system, too; false turns it off. */
  systemCa?: boolean;
  /** Plain http may leave this machine. */
  allowHttp?: boolean;
  retries: number;
  onRetry?: (waitMs: number, status: number | undefined) => void;
  trace?: () => Promise<Trace>;
  /** Knows the credentials in use, and learns each token that is issued. */
  redactor: Redactor;
}

/** Uses `node:http`: a single request starts sooner than with a bundled library. */
export function createTransport(options: TransportOptions) {
  const { redactor, env } = options;
  const routes = new Map<string, Promise<Route>>();
  const trusts = new Map<string, Promise<Trust>>();
  let system: Promise<readonly string[]> | undefined;

  /** Writes have their own connections: one that was kept while a person read a diff may be dead. */
  function routeTo(url: URL, isRead: boolean): Promise<Route> {
    const key = `${isRead ? 'read' : 'write'} ${url.origin}`;
    const route = routes.get(key) ?? findRoute(url);
    routes.set(key, route);
    return route;
  }

  async function findRoute(url: URL): Promise<Route> {
    if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname)) {
      throw plainHttpError(url);
    }
    const trust = await trustFor(url.origin);
    // Proxy code is loaded only where a proxy is set.
    const isProxySet = Object.keys(env).some((name) => /_proxy$/i.test(name) && env[name]);
    const proxies = isProxySet ? await import('./proxy.ts') : undefined;
    const proxy = proxies?.proxyFor(url, env);
    if (!proxies || !proxy) return directRoute(url, trust);
    const proxyTrust = proxy.protocol === 'https:' ? await trustFor('proxy') : {};
    return proxies.proxyRoute(proxy, url, { trust, proxyTrust });
  }

  function trustFor(origin: string | 'proxy'): Promise<Trust> {
    const trust = trusts.get(origin) ?? findTrust(origin);
    trusts.set(origin, trust);
    return trust;
  }

  async function findTrust(origin: string | 'proxy'): Promise<Trust> {
    const { caCert, clientCert, clientKey } = options;
    const found = (await system) ?? [];
    if ((caCert ?? clientCert ?? clientKey) === undefined && found.length === 0) return {};
    return (await import('./trust.ts')).loadTrust(options, origin, found);
  }

  /** Loading the certificates of the system takes longer than most requests, so it waits for a need. */
  async function trustSystem(): Promise<readonly string[]> {
    const { systemCertificates } = await import('./trust.ts');
    const found = options.systemCa === false ? [] : systemCertificates();
    if (found.length === 0) return found;
    // Not closed: other requests may just have failed in the same way, and must notice it themselves.
    routes.clear();
    trusts.clear();
    return found;
  }

  async function exchangeOnce(request: HttpRequest, signal?: AbortSignal) {
    const before = system;
    const send = async () => {
      const route = await routeTo(request.url, request.isRead);
      return exchange(route, request, options.timeoutMs, signal);
    };
    try {
      return await send();
    } catch (error) {
      if (before || !isUnknownIssuer(error)) throw error;
      system ??= trustSystem();
      if ((await system).length === 0) throw error;
      return send();
    }
  }

  async function sendOnce(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const response = await exchangeOnce(request, signal);
    // The redactor must know a new token before the response is printed anywhere.
    if (request.mayIssueToken) learnTokens(response.body.toString('utf8'), redactor);
    return { request, ...response, redactor };
  }

  return {
    /**
     * Follows no redirect, and repeats only a read. `ownSignal` replaces the transport's signal; with
     * null, nothing aborts the request.
     */
    async send(request: HttpRequest, ownSignal: AbortSignal | null | undefined = options.signal) {
      const signal = ownSignal ?? undefined;
      const send = (traced: HttpRequest) => sendOnce(traced, signal);
      const trace = await options.trace?.();
      for (let tryNumber = 1; ; tryNumber += 1) {
        const outcome = await settle(
          trace ? trace.around(request, tryNumber, send) : send(request),
        );
        const waitMs = retryDelay(request, outcome, tryNumber, options.retries);
        if (waitMs === undefined) {
          if (outcome.result) return outcome.result;
          throw outcome.error;
        }
        const { result, error } = outcome;
        const why = result ? `the service responded with ${result.status}` : messageOf(error);
        const seconds = (waitMs / 1000).toFixed(1);
        trace?.event(`Retrying in ${seconds} s (attempt ${tryNumber + 1}): ${why}`);
        options.onRetry?.(waitMs, result?.status);
        await pause(waitMs, signal);
      }
    },
    /** Loads the modules for this address ahead of the first request. */
    prepare(url: URL): void {
      // The request itself will fail in the same way, and report it.
      routeTo(url, true).catch(() => {});
    },
    /** Drops the kept connections, which would keep the process alive. */
    close(): void {
      for (const route of routes.values()) {
        route.then(({ agent }) => agent.destroy()).catch(() => {});
      }
      routes.clear();
    },
  };
}
