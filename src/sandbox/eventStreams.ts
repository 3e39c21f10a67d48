import type { ServerResponse } from 'node:http';
import { summaryOf } from './describeRequest.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';
import { controlHeaders, HttpError } from './responses.ts';

/** New requests are collected for so long, so that many a second are few events. */
const batchMs = 100;
const maxBatch = 500;
const maxStreams = 20;
/** A client that is so far behind is cut off. It comes back, and continues with the newest requests. */
const maxUnsentBytes = 1024 * 1024;
/** A comment shows proxies and clients that the stream is alive. */
const heartbeatMs = 15_000;

/** The pages that listen to what happens (server-sent events). */
export class EventStreams {
  readonly #log: RequestLog;
  readonly #streams = new Set<ServerResponse>();
  #pending: LoggedRequest[] = [];
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /** Sends the requests after the last one that the client saw, or the newest ones. */
  open(response: ServerResponse): undefined {
    if (this.#streams.size >= maxStreams) {
      throw new HttpError(503, 'too-many-streams', `${maxStreams} pages are open; close one`);
    }
    response.writeHead(200, { ...controlHeaders, 'Content-Type': 'text/event-stream' });
    const seen = Number(response.req.headers['last-event-id'] ?? 0) || 0;
    const { entries, dropped } = this.#log.since(seen > this.#log.lastId ? 0 : seen);
    const backlog = [...entries];
    const shown = backlog.slice(-maxBatch);
    response.write('retry: 1000\n');
    response.write(this.#batch(shown, dropped + backlog.length - shown.length));
    if (this.#streams.size === 0) this.#start();
    this.#streams.add(response);
    response.on('close', () => {
      this.#streams.delete(response);
      if (this.#streams.size === 0) this.#stop();
    });
  }

  send(event: string, data: object): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    this.#stop();
    for (const stream of this.#streams) stream.end();
  }

  #start(): void {
    this.#stopListening = this.#log.onAdd((entry) => {
      this.#pending.push(entry);
      if (this.#pending.length > maxBatch) {
        this.#pending.shift();
        this.#skipped += 1;
      }
      this.#timer ??= setTimeout(() => this.#flush(), batchMs);
    });
    this.#heartbeat = setInterval(() => this.#write(': alive\n\n'), heartbeatMs).unref();
  }

  #stop(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    this.#timer = undefined;
    this.#pending = [];
    this.#skipped = 0;
  }

  #flush(): void {
    this.#write(this.#batch(this.#pending, this.#skipped));
    this.#timer = undefined;
    this.#pending = [];
    this.#skipped = 0;
  }

  #batch(entries: readonly LoggedRequest[], skipped: number): string {
    const data = JSON.stringify({ requests: entries.map(summaryOf), skipped });
    const id = entries.at(-1)?.id ?? this.#log.lastId;
    return `id: ${id}\nevent: requests\ndata: ${data}\n\n`;
  }

  #write(text: string): void {
    for (const stream of this.#streams) {
      if (stream.writableLength > maxUnsentBytes) stream.destroy();
      else stream.write(text);
    }
  }
}
