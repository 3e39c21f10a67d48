import http from 'node:http';
import https from 'node:https';
import type { Route } from './connections.ts';
import { proxyAddress, proxyAuthorization, TunnelAgent, type TunnelOptions } from './tunnel.ts';

/** The way through a proxy: a tunnel for TLS, and whole requests for the rest. */
export function routeThrough(proxy: URL, url: URL, ca: string[] | undefined): Route {
  return url.protocol === 'https:' ? tunnelled(proxy, ca) : relayed(proxy, ca);
}

function tunnelled(proxy: URL, ca: string[] | undefined): Route {
  const agent = new TunnelAgent(proxy);
  return {
    proxy,
    open({ method, url }, headers, tunnelSignal) {
      const options: https.RequestOptions & TunnelOptions = {
        method,
        headers,
        agent,
        tunnelSignal,
      };
      return https.request(url, ca ? { ...options, ca } : options);
    },
    close: () => agent.destroy(),
  };
}

function relayed(proxy: URL, ca: string[] | undefined): Route {
  const module = proxy.protocol === 'https:' ? https : http;
  const agent = new module.Agent({ keepAlive: true });
  const address = { ...proxyAddress(proxy), agent, ...(ca ? { ca } : {}) };
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
  };
}
