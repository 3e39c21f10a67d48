import http from 'node:http';
import https from 'node:https';
import type { Route } from './connections.ts';
import { ResponseOrder } from './responseOrder.ts';
import type { Trust } from './trust.ts';
import { proxyAddress, proxyAuthorization, TunnelAgent, type TunnelOptions } from './tunnel.ts';

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
