import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { fakeService } from './fakeService.ts';

/** The reaction to a request. */
export type Reaction =
  | { status?: number; headers?: Record<string, string>; body?: string }
  /** Closes the connection without a response. */
  | 'reset'
  /** Responds after `release`. */
  | 'hold';

export type WriteService = Awaited<ReturnType<typeof writeService>>;

/** A service that records writes. By default it responds with the record and a new id. */
export async function writeService(
  treat: (body: Record<string, unknown>, count: number, path: string) => Reaction = () => ({}),
) {
  const received: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const arrived = new EventEmitter();
  let held: (() => void)[] = [];
  let inProgress = 0;
  let maxInProgress = 0;
  const { server, baseUrl, env, close } = await fakeService(async (request) => {
    const body = JSON.parse(request.body || '{}');
    received.push(body);
    const path = `${request.method} /api${request.path}`;
    paths.push(path);
    const count = received.length;
    const treatment = treat(body, count, path);
    arrived.emit('request');
    if (treatment === 'hold') await new Promise<void>((resolve) => held.push(resolve));
    inProgress -= 1;
    if (treatment === 'reset') return undefined;
    const record = JSON.stringify({ ...body, _id: body._id ?? `wr-${count}` });
    return { body: record, ...(treatment === 'hold' ? {} : treatment) };
  });
  server.on('request', () => {
    inProgress += 1;
    maxInProgress = Math.max(maxInProgress, inProgress);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    baseUrl,
    env: env as Record<string, string>,
    /** The bodies of the requests, in order. */
    received,
    /** The methods and paths of the requests. */
    paths,
    /** The highest number of concurrent requests. */
    maxInProgress: () => maxInProgress,
    /** Responds to all requests that were held. */
    release() {
      for (const respond of held) respond();
      held = [];
    },
    /** Waits until this many requests have arrived in total. */
    async until(count: number) {
      while (received.length < count) await once(arrived, 'request');
    },
    /** Waits until no client is connected. */
    async disconnected() {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    close,
  };
}
