import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';

/** An agent that keeps connections through a proxy: a tunnel for TLS, whole requests otherwise. */
export function createProxyAgent(proxy: URL, isSecure: boolean): Agent {
  const options = { keepAlive: true };
  return isSecure ? new HttpsProxyAgent(proxy, options) : new HttpProxyAgent(proxy, options);
}
