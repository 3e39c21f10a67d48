import type { IncomingMessage } from 'node:http';
import type { JsonResponse } from '../http/responses.ts';
import type { Change } from '../store/recordStore.ts';

/** Each text is kept up to this length, so that one large body does not empty the log. */
const maxKeptLength = 96 * 1024;
/** The oldest requests are dropped when there are more, or when their texts are longer together. */
const defaultLimits = { entries: 10_000, length: 32 * 1024 * 1024 };

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
  /** The fault that was applied, or why there was no response. */
  readonly note: string | undefined;
  readonly request: LoggedMessage;
  /** Undefined if the client got no response. */
  readonly response: (LoggedMessage & { readonly status: number }) | undefined;
  /** The records that it created, replaced or deleted. */
  readonly changes: readonly Change[];
}

export interface LoggedMessage {
  /** Names and values by turns, as they were sent. */
  readonly headers: readonly string[];
  /** The first `maxKeptLength` bytes. Buffers, because V8 collects old strings only now and then. */
  readonly body: Buffer;
  /** The size of the whole body. */
  readonly bodyBytes: number;
}

/** The end of a request. Without a response, the client got none. */
interface Outcome {
  readonly note?: string | undefined;
  readonly body?: Buffer;
  readonly response?: JsonResponse;
  readonly changes?: readonly Change[];
}

/** The last requests, in the order in which they ended. */
export class RequestLog {
  readonly #limits: typeof defaultLimits;
  #entries: LoggedRequest[] = [];
  /** The length of all texts. */
  #length = 0;
  lastId = 0;
  /** Requests up to this one were removed by a reset, so nobody misses them. */
  #clearedId = 0;
  /** Called after each new request. */
  onAdd: () => void = () => {};

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Starts the clock of a request. The returned function adds it to the log. */
  start(request: Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>, target: string) {
    const time = Date.now();
    const startedAt = performance.now();
    return ({ note, body = Buffer.alloc(0), response, changes = [] }: Outcome): void => {
      const entry: LoggedRequest = {
        id: this.lastId + 1,
        time,
        tookMs: Math.round((performance.now() - startedAt) * 10) / 10,
        method: request.method ?? '',
        target,
        authorization: request.headers.authorization,
        note,
        request: { headers: request.rawHeaders, ...kept(body) },
        response: response && {
          status: response.status,
          headers: Object.entries(response.headers).flat(),
          ...kept(Buffer.from(response.body)),
        },
        changes: changes.map(({ before, after, ...record }) => ({
          ...record,
          before: before && keptText(before),
          after: after && keptText(after),
        })),
      };
      this.#entries.push(entry);
      this.#length += lengthOf(entry);
      this.lastId = entry.id;
      while (this.#entries.length > this.#limits.entries || this.#length > this.#limits.length) {
        const oldest = this.#entries.shift();
        if (oldest) this.#length -= lengthOf(oldest);
      }
      this.onAdd();
    };
  }

  clear(): void {
    this.#entries = [];
    this.#length = 0;
    this.#clearedId = this.lastId;
  }

  get(id: number): LoggedRequest | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  /** The requests after the one with this id, oldest first, and how many of them were dropped. */
  since(id: number): { entries: readonly LoggedRequest[]; dropped: number } {
    const oldest = this.#entries[0]?.id ?? this.lastId + 1;
    const first = Math.max(id, this.#clearedId) + 1;
    const entries = this.#entries.slice(Math.max(0, first - oldest));
    return { entries, dropped: Math.max(0, oldest - first) };
  }
}

const lengthOf = ({ request, response, changes }: LoggedRequest): number =>
  changes.reduce(
    (sum, { before = '', after = '' }) => sum + before.length + after.length,
    request.body.length + (response?.body.length ?? 0),
  );

const kept = (bytes: Buffer) => ({ body: keptBytes(bytes), bodyBytes: bytes.length });

/** A part is copied, because it would keep all of the body in memory. */
const keptBytes = (bytes: Buffer): Buffer =>
  bytes.length <= maxKeptLength ? bytes : Buffer.from(bytes.subarray(0, maxKeptLength));

const keptText = (text: string): string => keptBytes(Buffer.from(text)).toString();
