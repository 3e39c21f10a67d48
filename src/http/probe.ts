import { lookup } from 'node:dns/promises';
import { connect as connectSocket, isIP } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Trust } from './trust.ts';

/*
 * The steps of a connection one by one, for finding out which of them fails.
 */

const patienceMs = 5000;
/** For what is nice to know. */
const curiosityMs = 1000;

/** The addresses of a host; an address is its own. */
export async function resolveHost({ hostname }: URL): Promise<string[]> {
  const found = await withPatience(lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }));
  return found.map(({ address }) => address);
}

/** Opens a connection and closes it. */
export async function tryConnect(url: URL): Promise<void> {
  const socket = connectSocket(addressOf(url));
  try {
    await withPatience(event(socket, 'connect'));
  } finally {
    socket.destroy();
  }
}

export interface TlsFacts {
  protocol: string;
  issuer: string;
  validTo: Date;
}

/** Shakes hands and looks at the certificate. Fails as a request would fail. */
export async function tryTls(url: URL, trust: Trust = {}): Promise<TlsFacts> {
  const { connect } = await import('node:tls');
  const { host, port } = addressOf(url);
  // An address cannot be asked for by name.
  const servername = isIP(host) === 0 ? host : undefined;
  const socket: TLSSocket = connect({ host, port, servername, ...trust });
  try {
    await withPatience(event(socket, 'secureConnect'));
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

/** The certificate that a server shows, good or bad; for saying what is wrong with it. */
export async function peerCertificate(
  url: URL,
  way: { proxy?: URL; trust?: Trust } = {},
): Promise<PeerCertificate | undefined> {
  const { connect } = await import('node:tls');
  const { host, port } = addressOf(url);
  const servername = isIP(host) === 0 ? host : undefined;
  let socket: TLSSocket | undefined;
  try {
    const tunnel = way.proxy && { socket: await openTunnel(way.proxy, host, port, way.trust) };
    // Nothing is sent on this connection but the handshake.
    socket = connect({ host, port, servername, rejectUnauthorized: false, ...tunnel });
    await withPatience(event(socket, 'secureConnect'), curiosityMs);
    return socket.getPeerCertificate(true);
  } catch {
    return undefined;
  } finally {
    socket?.destroy();
  }
}

async function openTunnel(proxy: URL, host: string, port: number, trust: Trust | undefined) {
  const tunnel = await import('./proxy.ts');
  return tunnel.openTunnel(proxy, host, port, { trust, signal: AbortSignal.timeout(curiosityMs) });
}

function addressOf({ hostname, port, protocol }: URL): { host: string; port: number } {
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual };
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

async function withPatience<T>(work: Promise<T>, limitMs = patienceMs): Promise<T> {
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
