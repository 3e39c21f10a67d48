import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { listening } from './listening.ts';

/** The reaction to a request. */
export type Reaction =
  | { status?: number; headers?: Record<string, string>; body?: string }
  /** Closes the connection without a response. */
  | 'reset'
  /** Responds after `release`. */
  | 'hold';

export interface WriteService {
  baseUrl: string;
  /** Variables that log mar in to the server. */
  env: Record<string, string>;
  /** The bodies of the requests, in order. */
  received: Record<string, unknown>[];
  /** The methods and paths of the requests. */
  paths: string[];
  /** The highest number of concurrent requests. */
  maxInProgress: () => number;
  /** Responds to all requests that were held. */
  release(): void;
  /** Waits until this many requests have arrived in total. */
  until(count: number): Promise<void>;
  /** Waits until no client is connected. */
  disconnected(): Promise<void>;
  close(): void;
}

/** A service that records writes. By default it responds with the record and a new id. */
export async function writeService(
  treat: (body: Record<string, unknown>, count: number, path: string) => Reaction = () => ({}),
): Promise<WriteService> {
  const received: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const arrived = new EventEmitter();
  let held: (() => void)[] = [];
  let inProgress = 0;
  let maxInProgress = 0;
  const server = createServer(async (request, response) => {
    inProgress += 1;
    maxInProgress = Math.max(maxInProgress, inProgress);
    const body = await bodyOf(request);
    received.push(body);
    const path = `${request.method} ${request.url}`;
    paths.push(path);
    const count = received.length;
    const treatment = treat(body, count, path);
    arrived.emit('request');
    inProgress -= 1;
    if (treatment === 'reset') return void request.socket.destroy();
    if (treatment === 'hold') {
      inProgress += 1;
      await new Promise<void>((resolve) => held.push(resolve));
      inProgress -= 1;
    }
    const { status = 200, headers = {}, body: text } = treatment === 'hold' ? {} : treatment;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify({ ...body, _id: body._id ?? `wr-${count}` }));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { baseUrl, env, close } = await listening(server);
  return {
    baseUrl,
    env,
    received,
    paths,
    maxInProgress: () => maxInProgress,
    release() {
      for (const respond of held) respond();
      held = [];
    },
    async until(count) {
      while (received.length < count) await once(arrived, 'request');
    },
    async disconnected() {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    close,
  };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}
