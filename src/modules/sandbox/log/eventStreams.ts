import type { ServerResponse } from 'node:http';
import { controlHeaders } from '../http/responses.ts';
import { summaryOf } from './describeRequest.ts';
import type { RequestLog } from './requestLog.ts';

/** New requests are collected for so long, so that many a second are few events. */
const batchMs = 100;
const maxBatch = 500;

/** The pages that listen to what happens (server-sent events). */
export class EventStreams {
  readonly #log: RequestLog;
  /** Each with the id of the last request that it was sent. */
  readonly #streams = new Map<ServerResponse, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: RequestLog) {
    this.#log = log;
    log.onAdd = () => {
      if (this.#streams.size > 0) this.#timer ??= setTimeout(() => this.#sendAll(), batchMs);
    };
  }

  /** Sends the requests after the last one that the client saw, or the newest ones. */
  open(response: ServerResponse): undefined {
    response.writeHead(200, { ...controlHeaders, 'Content-Type': 'text/event-stream' });
    response.write('retry: 1000\n');
    const seen = Number(response.req.headers['last-event-id'] ?? 0) || 0;
    this.#sendRequests(response, seen > this.#log.lastId ? 0 : seen);
    response.on('close', () => this.#streams.delete(response));
  }

  send(event: string, data: object): void {
    for (const stream of this.#streams.keys()) {
      stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const stream of this.#streams.keys()) stream.end();
  }

  #sendAll(): void {
    this.#timer = undefined;
    for (const [stream, lastId] of this.#streams) this.#sendRequests(stream, lastId);
  }

  #sendRequests(stream: ServerResponse, after: number): void {
    const { entries, dropped } = this.#log.since(after);
    const requests = entries.slice(-maxBatch).map(summaryOf);
    const skipped = dropped + entries.length - requests.length;
    const data = JSON.stringify({ requests, skipped });
    stream.write(`id: ${this.#log.lastId}\nevent: requests\ndata: ${data}\n\n`);
    this.#streams.set(stream, this.#log.lastId);
  }
}
