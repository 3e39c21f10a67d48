import { loopbackHosts, makeAuthority, makeCertificate } from './certificates.ts';
import { startNginx } from './nginx.ts';
import { account } from './recordingServer.ts';
import { isolated, type Service } from './service.ts';
import { startSquid } from './squid.ts';

/** Has characters that a URL must encode, and `%41`, which decodes twice to something else. */
export const proxyUser = 'ines@northlight';
export const proxyPassword = 'canary:pä ss/%41-7f3a9c';

/** All forms in which the proxy's password could leak. */
const leakedForms = [
  proxyPassword,
  encodeURIComponent(proxyPassword),
  encodeURI(proxyPassword),
  ...[`${proxyUser}:${proxyPassword}`, `:${proxyPassword}`, proxyPassword].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ),
  'canary',
  '7f3a9c',
];
export const leaks = (text: string) => leakedForms.filter((form) => text.includes(form));

export type Scheme = 'http' | 'https';

interface ProxiedOptions {
  /** The service behind nginx. Without one, nginx sends its own response. */
  service?: Service;
  /** A host name that only the proxy can resolve. */
  host?: string;
}

/** A service on this machine, and a proxy in front of it. */
export async function openProxied(scheme: Scheme, { service, host }: ProxiedOptions = {}) {
  const issuer = makeAuthority('Northlight Root');
  const hosts = host ? [`DNS:${host}`] : loopbackHosts;
  const certificate = makeCertificate({ name: 'media server', issuer, hosts });
  const nginx = await startNginx({
    service: service?.baseUrl,
    certificate: scheme === 'https' ? certificate : undefined,
  });
  const squid = await startSquid({ user: proxyUser, password: proxyPassword, knows: host });
  const address = `${host ?? 'localhost'}:${nginx.port}`;
  const asset = `${scheme}://${address}/api/assets/a-1001`;
  return {
    nginx,
    squid,
    address,
    /** The proxy's URL with user and password. */
    proxy: squid.urlFor(proxyUser, proxyPassword),
    /** Flags that make mar trust the service. */
    ca: ['--ca-cert', issuer.file],
    env: (more: Record<string, string>) =>
      isolated({
        ...(service?.account ?? account),
        MAR_BASE_URL: `${scheme}://${address}/api`,
        ...more,
      }),
    /** squid's log after one read through the proxy. */
    readThrough: [
      scheme === 'http' ? `GET ${asset} 200 ${proxyUser}` : `CONNECT ${address} 200 ${proxyUser}`,
    ],
    /** nginx's log after one read. */
    read: ['GET /api/assets/a-1001 200 -'],
  };
}
