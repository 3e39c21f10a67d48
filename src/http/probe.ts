import { lookup } from 'node:dns/promises';
import { connect as connectSocket, isIP } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { addressOf } from './route.ts';
import type { Trust } from './trust.ts';

/*
 * The steps of a connection one by one, to find out which of them fails.
 */

const stepTimeoutMs = 5000;
/** For details that only make an error message more helpful. */
const detailTimeoutMs = 1000;

export async function resolveHost(url: URL): Promise<string[]> {
  const found = await withTimeout(lookup(addressOf(url).host, { all: true }));
  return found.map(({ address }) => address);
}

export async function tryConnect(url: URL): Promise<void> {
  const socket = connectSocket(addressOf(url));
  try {
    await withTimeout(event(socket, 'connect'));
  } finally {
    socket.destroy();
  }
}

export interface TlsFacts {
  protocol: string;
  issuer: string;
  validTo: Date;
}

/** Makes a TLS handshake, which fails as a request would fail. */
export async function tryTls(url: URL, trust: Trust = {}): Promise<TlsFacts> {
  const { connect } = await import('node:tls');
  const { host, port } = addressOf(url);
  // SNI allows no IP addresses.
  const servername = isIP(host) === 0 ? host : undefined;
  const socket: TLSSocket = connect({ host, port, servername, ...trust });
  try {
    await withTimeout(event(socket, 'secureConnect'));
    const { issuer, valid_to } = socket.getPeerCertificate();
    return {
      protocol: socket.getProtocol() ?? 'TLS',
      issuer: [issuer?.O ?? issuer?.CN].flat()[0] ?? 'unknown',
      validTo: new Date(valid_to),
    };
  } finally {
    socket.destroy();
  }
}

/** The certificate of a server, valid or not, for an error message that describes it. */
export async function peerCertificate(
  url: URL,
  { proxy, trust }: { proxy?: URL; trust?: Trust } = {},
): Promise<PeerCertificate | undefined> {
  const { connect } = await import('node:tls');
  const { host, port } = addressOf(url);
  const servername = isIP(host) === 0 ? host : undefined;
  let socket: TLSSocket | undefined;
  try {
    const tunnel = proxy && { socket: await openTunnel(proxy, host, port, trust) };
    // Nothing but the handshake is sent on this connection.
    socket = connect({ host, port, servername, rejectUnauthorized: false, ...tunnel });
    await withTimeout(event(socket, 'secureConnect'), detailTimeoutMs);
    return socket.getPeerCertificate(true);
  } catch {
    return undefined;
  } finally {
    socket?.destroy();
  }
}

async function openTunnel(proxy: URL, host: string, port: number, trust: Trust | undefined) {
  const proxies = await import('./proxy.ts');
  return proxies.openTunnel(proxy, host, port, {
    trust,
    signal: AbortSignal.timeout(detailTimeoutMs),
  });
}

function event(
  socket: { once(name: string, listener: (error?: Error) => void): unknown },
  name: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(name, () => resolve());
    socket.once('error', reject);
  });
}

async function withTimeout<T>(work: Promise<T>, limitMs = stepTimeoutMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('it did not answer in time'), { code: 'ETIMEDOUT' })),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
