import type { Exchange } from './parseRequest.ts';
import type { Change } from './recordStore.ts';
import type { JsonResponse } from './responses.ts';

/** Texts of a message are kept up to this length, so that one large body does not empty the log. */
const maxKeptLength = 96 * 1024;
/** The oldest requests are dropped when the log has more than this. */
export const maxEntries = 10_000;
const maxBytes = 32 * 1024 * 1024;

export interface LoggedMessage {
  /** Names and values by turns, as they were sent. */
  readonly headers: readonly string[];
  /** The first `maxKeptLength` characters. */
  readonly body: string;
  /** The size of the whole body. */
  readonly bodyBytes: number;
}

/** A request that the sandbox has finished. It holds secrets: see describeRequest.ts. */
export interface LoggedRequest {
  /** Counts up from 1, and is the cursor for reading the log. */
  readonly id: number;
  /** When it arrived, in milliseconds since 1970. */
  readonly time: number;
  readonly tookMs: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Undefined if the client got no response. */
  readonly status: number | undefined;
  /** The fault that was applied, or why there was no response. */
  readonly note: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage | undefined;
  /** The records that it created, replaced or deleted. */
  readonly changes: readonly Change[];
}

/** The last requests, in the order in which they ended. */
export class RequestLog {
  readonly #entries = new Map<number, LoggedRequest>();
  #lastId = 0;
  #bytes = 0;
  /** Requests up to this one were removed by a reset, so nobody misses them. */
  #clearedId = 0;
  readonly #listeners = new Set<(entry: LoggedRequest) => void>();

  /** Starts the clock of a request. The returned function adds it to the log. */
  start(exchange: Exchange, target: string) {
    const time = Date.now();
    const startedAt = performance.now();
    return (note?: string, response?: JsonResponse, changes: readonly Change[] = []): void => {
      const { request, bytes = Buffer.alloc(0) } = exchange;
      const headers = request.rawHeaders;
      const body = bytes.toString('utf8', 0, maxKeptLength);
      this.#add({
        time,
        tookMs: Math.round((performance.now() - startedAt) * 10) / 10,
        method: request.method ?? '',
        target,
        status: response?.status,
        note,
        request: { headers, body, bodyBytes: bytes.length },
        response: response && {
          headers: Object.entries(response.headers).flat(),
          body: keptText(response.body),
          bodyBytes: Buffer.byteLength(response.body),
        },
        changes: changes.map(({ before, after, ...record }) => ({
          ...record,
          before: before && keptText(before),
          after: after && keptText(after),
        })),
      });
    };
  }

  #add(request: Omit<LoggedRequest, 'id'>): void {
    this.#lastId += 1;
    const entry = { id: this.#lastId, ...request };
    this.#entries.set(entry.id, entry);
    this.#bytes += sizeOf(entry);
    for (const [id, oldest] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) break;
      this.#entries.delete(id);
      this.#bytes -= sizeOf(oldest);
    }
    for (const listener of this.#listeners) listener(entry);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#clearedId = this.#lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get(id: number): LoggedRequest | undefined {
    return this.#entries.get(id);
  }

  /** The requests after the one with this id, oldest first, and how many of them were dropped. */
  since(id: number): { entries: Iterable<LoggedRequest>; dropped: number } {
    const [oldest = this.#lastId + 1] = this.#entries.keys();
    const first = Math.max(id, this.#clearedId) + 1;
    return { entries: this.#from(Math.max(first, oldest)), dropped: Math.max(0, oldest - first) };
  }

  *#from(first: number): Generator<LoggedRequest> {
    for (let id = first; id <= this.#lastId; id += 1) {
      const entry = this.#entries.get(id);
      if (entry) yield entry;
    }
  }

  /** Returns a function that ends the calls. */
  onAdd(listener: (entry: LoggedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Copied, because a part of a string would keep the whole string in memory. */
const keptText = (text: string): string =>
  text.length <= maxKeptLength ? text : Buffer.from(text.slice(0, maxKeptLength)).toString();

/** An upper bound: two bytes a character, and the objects around them. */
function sizeOf({ target, request, response, changes }: LoggedRequest): number {
  const texts = [
    target,
    ...request.headers,
    request.body,
    ...(response ? [...response.headers, response.body] : []),
    ...changes.flatMap(({ before = '', after = '' }) => [before, after]),
  ];
  return texts.reduce((sum, { length }) => sum + 2 * length + 16, 500);
}
