import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectSocket, isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { addressOf, type Route } from './route.ts';
import type { Trust } from './trust.ts';

/* The steps of a connection one by one, to find out which of them fails. */

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
    await withTimeout(once(socket, 'connect'));
  } finally {
    socket.destroy();
  }
}

/** Makes a TLS handshake, which fails as a request would fail. */
export function tryTls(url: URL, trust: Trust) {
  return handshake({ ...addressOf(url), ...trust }, stepTimeoutMs, (socket) => {
    const { issuer, valid_to } = socket.getPeerCertificate();
    return {
      protocol: socket.getProtocol() ?? 'TLS',
      issuer: [issuer?.O ?? issuer?.CN].flat()[0] ?? 'unknown',
      validTo: new Date(valid_to),
    };
  });
}

/** The certificate of a server, valid or not. */
export async function peerCertificate(url: URL, tunnel?: Route['tunnel']) {
  const { host, port } = addressOf(url);
  try {
    const socket = await tunnel?.(host, port, AbortSignal.timeout(detailTimeoutMs));
    // Nothing but the handshake is sent on this connection.
    const options = { host, port, socket, rejectUnauthorized: false };
    return await handshake(options, detailTimeoutMs, (peer) => peer.getPeerCertificate(true));
  } catch {
    return undefined;
  }
}

async function handshake<T>(
  options: ConnectionOptions & { host: string },
  limitMs: number,
  read: (socket: TLSSocket) => T,
): Promise<T> {
  const { connect } = await import('node:tls');
  // SNI allows no IP addresses.
  const servername = isIP(options.host) === 0 ? options.host : undefined;
  const socket = connect({ servername, ...options });
  try {
    await withTimeout(once(socket, 'secureConnect'), limitMs);
    return read(socket);
  } finally {
    socket.destroy();
  }
}

function withTimeout<T>(work: Promise<T>, limitMs = stepTimeoutMs): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, limitMs, new Error('no response in time')).unref();
  });
  return Promise.race([work, late]);
}
