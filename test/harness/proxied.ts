import { loopbackHosts, makeAuthority, makeCertificate } from './certificates.ts';
import { startNginx } from './nginx.ts';
import { account } from './recordingServer.ts';
import { isolated, type Service } from './service.ts';
import { startSquid } from './squid.ts';

/** What has to be encoded in a URL, and what decodes to something else when it is decoded twice. */
export const proxyUser = 'ines@northlight';
export const proxyPassword = 'canary:pä ss/%41-7f3a9c';

/** Every form in which the proxy's password could slip out. */
const forms = [
  proxyPassword,
  encodeURIComponent(proxyPassword),
  encodeURI(proxyPassword),
  ...[`${proxyUser}:${proxyPassword}`, `:${proxyPassword}`, proxyPassword].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ),
  'canary',
  '7f3a9c',
];
export const leaks = (text: string) => forms.filter((form) => text.includes(form));

export type Scheme = 'http' | 'https';

interface ProxiedOptions {
  /** What stands behind nginx; without one nginx answers by itself. */
  service?: Service;
  /** Its name, where it is one that only the proxy can find. */
  host?: string;
}

/** A squid that can be used with the right user and password. */
export const startOwnSquid = (options: { knows?: string; deniedPort?: number } = {}) =>
  startSquid({ user: proxyUser, password: proxyPassword, ...options });

/** A service on this machine, and a proxy that leads to it. */
export async function openProxied(scheme: Scheme, { service, host }: ProxiedOptions = {}) {
  const issuer = makeAuthority('Northlight Root');
  const hosts = host ? [`DNS:${host}`] : loopbackHosts;
  const certificate = makeCertificate({ name: 'media server', issuer, hosts });
  const nginx = await startNginx({
    service: service?.baseUrl,
    certificate: scheme === 'https' ? certificate : undefined,
  });
  const squid = await startOwnSquid({ knows: host });
  const address = `${host ?? 'localhost'}:${nginx.port}`;
  const asset = `${scheme}://${address}/api/assets/a-1001`;
  return {
    nginx,
    squid,
    address,
    /** The proxy with its user and password. */
    proxy: squid.urlFor(proxyUser, proxyPassword),
    /** Flags to trust the service with. */
    ca: ['--ca-cert', issuer.file],
    env: (more: Record<string, string>) =>
      isolated({
        ...(service?.account ?? account),
        MAR_BASE_URL: `${scheme}://${address}/api`,
        ...more,
      }),
    /** What is in squid's log after one read through it. */
    readThrough: [
      scheme === 'http' ? `GET ${asset} 200 ${proxyUser}` : `CONNECT ${address} 200 ${proxyUser}`,
    ],
    /** What is in nginx's log after one read. */
    read: ['GET /api/assets/a-1001 200 -'],
  };
}
