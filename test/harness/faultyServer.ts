import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { account } from './recordingServer.ts';

/** What a server does to a connection, once a request has come in whole. */
export type Fault = (socket: Socket) => void;

export interface FaultyServer {
  port: number;
  /** Variables that log the program in to it. */
  env: Record<string, string>;
  /** Each request that came in whole, in order. */
  requests: string[];
  /** Each connection that was made, with or without a request on it. */
  connections: Socket[];
  /** Every byte that anybody sent to it. */
  bytes: number;
  /** Waits until no connection to it is open any more. */
  released(): Promise<void>;
}

export interface FaultyServerOptions {
  host?: string;
  port?: number;
  /** What it does as soon as there is a connection. */
  onConnect?: Fault;
  /** Its certificate: it speaks TLS then. */
  tls?: TlsOptions;
  /** What the base URL begins with, whatever the server speaks. */
  scheme?: 'http' | 'https';
}

/** What TLS runs on: only that can be reset. */
const underneath = new WeakMap<Socket, Socket>();

/** A server on bare sockets: one fault a request, the last of them for all that follow. */
export async function faultyServer(
  faults: Fault | readonly Fault[],
  { host = '127.0.0.1', port = 0, onConnect, tls, scheme }: FaultyServerOptions = {},
): Promise<FaultyServer> {
  const script = [faults].flat();
  const open = new Set<Socket>();
  const seen: Pick<FaultyServer, 'requests' | 'connections' | 'bytes'> = {
    requests: [],
    connections: [],
    bytes: 0,
  };
  const accept = (socket: Socket) => {
    let pending = Buffer.alloc(0);
    seen.connections.push(socket);
    for (const raw of open) if (raw.remotePort === socket.remotePort) underneath.set(socket, raw);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      seen.bytes += data.length;
      pending = Buffer.concat([pending, data]);
      for (let size = requestSize(pending); size > 0; size = requestSize(pending)) {
        seen.requests.push(pending.toString('utf8', 0, size));
        pending = pending.subarray(size);
        script[Math.min(seen.requests.length, script.length) - 1]?.(socket);
      }
    });
    onConnect?.(socket);
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  // A handshake that fails is the other side's to tell.
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address() as { port: number };
  const baseUrl = `${scheme ?? (tls ? 'https' : 'http')}://${host}:${address.port}/api`;
  return Object.assign(seen, {
    port: address.port,
    env: { ...account, MAR_BASE_URL: baseUrl },
    async released() {
      // Not `once` of node:events: a reset is an end like any other here.
      for (const socket of open) await new Promise((closed) => socket.once('close', closed));
    },
  });
}

/** The bytes of the first whole request, or 0 when it is not whole yet. */
function requestSize(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const head = bytes.toString('latin1', 0, headEnd + 4);
  const size = head.length + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length >= size ? size : 0;
}

export interface AnswerParts {
  status?: string;
  headers?: readonly string[];
}

/** The status line and the headers of an answer. */
export const head = ({ status = '200 OK', headers = [] }: AnswerParts = {}): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

/** A whole answer, as well-formed as can be. */
export function whole(body: string | Buffer, { status, headers = [] }: AnswerParts = {}): Buffer {
  const bytes = Buffer.from(body);
  const sizes = [`Content-Length: ${bytes.length}`, 'Content-Type: application/json'];
  return Buffer.concat([Buffer.from(head({ status, headers: [...sizes, ...headers] })), bytes]);
}

/** Puts bytes on the wire and keeps the connection. */
export const say =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };

/** Puts bytes on the wire and hangs up in order. */
export const sayAndClose =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    say(...parts)(socket);
    socket.end();
  };

/** Puts bytes on the wire and, when they had time to arrive, breaks the connection. */
export const sayAndReset =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    say(...parts)(socket);
    setTimeout(() => reset(socket), 30);
  };

/** A whole and proper answer. */
export const answer = (body: string | Buffer, parts?: AnswerParts) => say(whole(body, parts));

export const silence: Fault = () => {};
export const hangUp: Fault = (socket) => socket.end();
export const reset: Fault = (socket) => {
  (underneath.get(socket) ?? socket).resetAndDestroy();
};

/** Begins, then writes a little again and again, for as long as the other side listens. */
export const drip =
  (begin: string, piece: string): Fault =>
  (socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(piece), 10);
    socket.on('close', () => clearInterval(timer));
  };

/** Begins, then writes as much as the other side takes, without end. */
export const flood =
  (begin: string, piece: string): Fault =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.write(begin);
    socket.on('drain', pour);
    pour();
  };
