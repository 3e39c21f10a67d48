import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawProxy {
  port: number;
  /** The start of each connection, up to the end of the first request head. */
  heads: string[];
}

/** A proxy that records the first request of each connection, then calls `serve`. */
export async function startRawProxy(serve: (socket: Socket) => void): Promise<RawProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const index = heads.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', function read(data) {
      heads[index] += data.toString('latin1');
      if (!heads[index]?.includes('\r\n\r\n')) return;
      socket.off('data', read);
      serve(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, heads };
}

/** Always opens a tunnel to this port, no matter what was requested. */
export const tunnelTo = (port: number) => (socket: Socket) => {
  const upstream = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
};
