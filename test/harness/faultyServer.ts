import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

export const account = { MAR_EMAIL: 'ines@northlight.example', MAR_TOKEN: 's3cret' };

/** The server's reaction to a complete request. */
export type Fault = (socket: Socket) => void;

export interface FaultyServer {
  port: number;
  baseUrl: string;
  /** Variables that log mar in to the server. */
  env: Record<string, string>;
  /** The complete requests, in order. */
  requests: string[];
  /** All connections, with or without a request. */
  connections: Socket[];
  /** The number of bytes received. */
  bytes: number;
  /** Waits until all connections are closed. */
  released(): Promise<void>;
}

export interface FaultyServerOptions {
  host?: string;
  port?: number;
  /** Called for each new connection. */
  onConnect?: Fault;
  /** Makes the server speak TLS. */
  tls?: TlsOptions;
  /** The scheme of the base URL, if it differs from what the server speaks. */
  scheme?: 'http' | 'https';
}

/** The TCP socket below each TLS socket: only that can be reset. */
const tcpSockets = new WeakMap<Socket, Socket>();

/** A server on raw sockets. Each request gets the next fault; the last one repeats. */
export async function faultyServer(
  faults: Fault | readonly Fault[],
  { host = '127.0.0.1', port = 0, onConnect, tls, scheme }: FaultyServerOptions = {},
): Promise<FaultyServer> {
  const script = [faults].flat();
  const open = new Set<Socket>();
  const seen = { requests: [] as string[], connections: [] as Socket[], bytes: 0 };
  const accept = (socket: Socket) => {
    let pending = Buffer.alloc(0);
    seen.connections.push(socket);
    for (const raw of open) if (raw.remotePort === socket.remotePort) tcpSockets.set(socket, raw);
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
  // The client reports a failed handshake.
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
    baseUrl,
    env: { ...account, MAR_BASE_URL: baseUrl },
    async released() {
      // Not `once` of node:events, which would throw on a reset.
      for (const socket of open) await new Promise((closed) => socket.once('close', closed));
    },
  });
}

/** The size of the first request, or 0 if it is not complete. */
function requestSize(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const head = bytes.toString('latin1', 0, headEnd + 4);
  const size = head.length + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length >= size ? size : 0;
}

export interface ResponseParts {
  status?: string;
  headers?: readonly string[];
}

/** The status line and the headers of a response. */
export const responseHead = ({ status = '200 OK', headers = [] }: ResponseParts = {}): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

/** A complete, well-formed response. */
export function fullResponse(
  body: string | Buffer,
  { status, headers = [] }: ResponseParts = {},
): Buffer {
  const bytes = Buffer.from(body);
  const sizes = ['Content-Type: application/json', `Content-Length: ${bytes.length}`];
  const head = responseHead({ status, headers: [...sizes, ...headers] });
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Sends bytes and keeps the connection open. */
export const send =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };

/** Sends bytes and closes the connection. */
export const sendAndClose =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    send(...parts)(socket);
    socket.end();
  };

/** Sends bytes, gives them time to arrive, and resets the connection. */
export const sendAndReset =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) => {
    send(...parts)(socket);
    setTimeout(() => reset(socket), 30);
  };

export const respond = (body: string | Buffer, parts?: ResponseParts) =>
  send(fullResponse(body, parts));

export const silence: Fault = () => {};
export const hangUp: Fault = (socket) => socket.end();
export const reset: Fault = (socket) => {
  (tcpSockets.get(socket) ?? socket).resetAndDestroy();
};

/** Sends `start`, then a small piece again and again until the client closes. */
export const drip =
  (start: string, piece: string): Fault =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 10);
    socket.on('close', () => clearInterval(timer));
  };

/** Sends `start`, then pieces without end, as fast as the client reads. */
export const flood =
  (start: string, piece: string): Fault =>
  (socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.write(start);
    socket.on('drain', pour);
    pour();
  };

/** A proxy that opens a tunnel to this port, no matter what was requested. */
export const tunnelTo =
  (port: number): Fault =>
  (socket) => {
    socket.removeAllListeners('data');
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
  };
