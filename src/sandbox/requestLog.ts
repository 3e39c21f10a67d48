import type { IncomingMessage } from 'node:http';
import { deserialize, serialize } from 'node:v8';
import type { Change } from './recordStore.ts';
import type { JsonResponse } from './responses.ts';

/** Each text is kept up to this length, so that one large body does not empty the log. */
const maxKeptLength = 96 * 1024;
/** The oldest requests are dropped when there are more, or when they need more space. */
const defaultLimits = { entries: 10_000, bytes: 32 * 1024 * 1024 };

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
  readonly authorization: string | undefined;
  /** Undefined if the client got no response. */
  readonly status: number | undefined;
  /** The fault that was applied, or why there was no response. */
  readonly note: string | undefined;
  /** The records that it created, replaced or deleted. */
  readonly changed: readonly Pick<Change, 'kind' | 'id'>[];
}

export interface LoggedMessage {
  /** Names and values by turns, as they were sent. */
  readonly headers: readonly string[];
  /** The first `maxKeptLength` characters. */
  readonly body: string;
  /** The size of the whole body. */
  readonly bodyBytes: number;
}

/** The larger part of a request. */
export interface LoggedTexts {
  readonly request: LoggedMessage;
  readonly response: LoggedMessage | undefined;
  readonly changes: readonly Change[];
}

/** The end of a request. Without a response, the client got none. */
interface Outcome {
  readonly note?: string | undefined;
  readonly body?: Buffer;
  readonly response?: JsonResponse;
  readonly changes?: readonly Change[];
}

/** Where a request is in the ring: first the entry, then its texts. */
interface Place {
  readonly start: number;
  readonly textsStart: number;
  readonly end: number;
}

/** The last requests, in the order in which they ended. */
export class RequestLog {
  readonly #limits: typeof defaultLimits;
  readonly #places = new Map<number, Place>();
  /**
   * Bytes, which are overwritten in turn. Objects would live so long that V8 collects them only now and
   * then: under load, memory would go up and down by 100 MB.
   */
  #ring: Buffer | undefined;
  #end = 0;
  #lastId = 0;
  /** Requests up to this one were removed by a reset, so nobody misses them. */
  #clearedId = 0;
  readonly #listeners = new Set<(entry: LoggedRequest) => void>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Starts the clock of a request. The returned function adds it to the log. */
  start(request: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>, target: string) {
    const time = Date.now();
    const startedAt = performance.now();
    return ({ note, body: bytes = Buffer.alloc(0), response, changes = [] }: Outcome): void => {
      const entry: LoggedRequest = {
        id: this.#lastId + 1,
        time,
        tookMs: Math.round((performance.now() - startedAt) * 10) / 10,
        method: request.method ?? '',
        target,
        authorization: request.headers.authorization,
        status: response?.status,
        note,
        changed: changes.map(({ kind, id }) => ({ kind, id })),
      };
      const body = bytes.toString('utf8', 0, maxKeptLength);
      this.#add(entry, {
        request: { headers: request.rawHeaders, body, bodyBytes: bytes.length },
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

  #add(entry: LoggedRequest, texts: LoggedTexts): void {
    const [first, second] = [serialize(entry), serialize(texts)];
    const start = this.#makeRoom(first.length + second.length);
    const textsStart = start + first.length;
    this.#end = textsStart + second.length;
    this.#ring ??= Buffer.allocUnsafeSlow(this.#limits.bytes);
    first.copy(this.#ring, start);
    second.copy(this.#ring, textsStart);
    this.#lastId = entry.id;
    this.#places.set(entry.id, { start, textsStart, end: this.#end });
    for (const listener of this.#listeners) listener(entry);
  }

  /** Drops the oldest requests from the place where the next one goes, and returns its start. */
  #makeRoom(length: number): number {
    const isAtEnd = this.#end + length > this.#limits.bytes;
    const start = isAtEnd ? 0 : this.#end;
    for (const [id, oldest] of this.#places) {
      // Before the end of the ring are the oldest, which go before those at its start.
      const isInTail = isAtEnd && oldest.start >= this.#end;
      const isInPlace = oldest.start >= start && oldest.start < start + length;
      if (!isInTail && !isInPlace && this.#places.size < this.#limits.entries) break;
      this.#places.delete(id);
    }
    return start;
  }

  clear(): void {
    this.#places.clear();
    this.#end = 0;
    this.#clearedId = this.#lastId;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get(id: number): LoggedRequest | undefined {
    const place = this.#places.get(id);
    return place && (this.#read(place.start, place.textsStart) as LoggedRequest);
  }

  /** The texts of a request that is still in the log. */
  textsOf({ id }: LoggedRequest): LoggedTexts {
    const place = this.#places.get(id);
    if (!place) throw new Error(`request ${id} was dropped`);
    return this.#read(place.textsStart, place.end) as LoggedTexts;
  }

  #read(start: number, end: number): unknown {
    return this.#ring && deserialize(this.#ring.subarray(start, end));
  }

  /** The requests after the one with this id, oldest first, and how many of them were dropped. */
  since(id: number): { entries: Iterable<LoggedRequest>; dropped: number } {
    const [oldest = this.#lastId + 1] = this.#places.keys();
    const first = Math.max(id, this.#clearedId) + 1;
    return { entries: this.#from(Math.max(first, oldest)), dropped: Math.max(0, oldest - first) };
  }

  *#from(first: number): Generator<LoggedRequest> {
    for (let id = first; id <= this.#lastId; id += 1) {
      const entry = this.get(id);
      if (entry) yield entry;
    }
  }

  /** Returns a function that ends the calls. */
  onAdd(listener: (entry: LoggedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const keptText = (text: string): string =>
  text.length <= maxKeptLength ? text : text.slice(0, maxKeptLength);
