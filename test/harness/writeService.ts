import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { listening } from './listening.ts';

/** What to do about a request that was written down. */
export type Treatment =
  | { status?: number; headers?: Record<string, string>; body?: string }
  /** Hangs up without an answer. */
  | 'reset'
  /** Says nothing until `release`. */
  | 'hold';

export interface WriteService {
  baseUrl: string;
  /** Variables that log the program in to it. */
  env: Record<string, string>;
  /** The bodies that came, in their order. */
  received: Record<string, unknown>[];
  /** Their methods and paths. */
  paths: string[];
  /** The most that were under way at a time. */
  most: () => number;
  /** Answers all that were held. */
  release(): void;
  /** Waits until so many came in all. */
  until(count: number): Promise<void>;
  close(): void;
}

/** A service that writes down what it is sent, and answers with a new id, or as it is told. */
export async function writeService(
  treat: (body: Record<string, unknown>, count: number) => Treatment = () => ({}),
): Promise<WriteService> {
  const received: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const arrived = new EventEmitter();
  let held: (() => void)[] = [];
  let under = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    under += 1;
    most = Math.max(most, under);
    const body = await bodyOf(request);
    received.push(body);
    paths.push(`${request.method} ${request.url}`);
    const count = received.length;
    const treatment = treat(body, count);
    arrived.emit('request');
    under -= 1;
    if (treatment === 'reset') return void request.socket.destroy();
    if (treatment === 'hold') {
      under += 1;
      await new Promise<void>((resolve) => held.push(resolve));
      under -= 1;
    }
    const { status = 200, headers = {}, body: text } = treatment === 'hold' ? {} : treatment;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify({ ...body, _id: body._id ?? `wr-${count}` }));
  });
  const { baseUrl, env, close } = await listening(server);
  return {
    baseUrl,
    env,
    received,
    paths,
    most: () => most,
    release() {
      for (const answer of held) answer();
      held = [];
    },
    async until(count) {
      while (received.length < count) await once(arrived, 'request');
    },
    close,
  };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}
