import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JsonResponse } from '../http/responses.ts';

/** Each text is kept up to this length, so that one large body does not empty the log. */
const maxKeptLength = 96 * 1024;
/** The oldest requests are dropped when there are more, or when their texts are longer together. */
const defaultLimits = { entries: 10_000, length: 32 * 1024 * 1024 };

/** A request that the sandbox has finished. It holds secrets: see describeRequest.ts. */
export type LoggedRequest = ReturnType<typeof finished>;

export type LoggedMessage = ReturnType<typeof kept>;

type Arrived = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;

/** The end of a request. Without a response, the client got none. */
interface Outcome {
  readonly note?: string | undefined;
  readonly body?: Buffer;
  readonly response?: JsonResponse;
}

/** The last requests, in the order in which they ended. */
export class RequestLog {
  readonly #limits: typeof defaultLimits;
  #entries: LoggedRequest[] = [];
  /** The length of all texts. */
  #length = 0;
  lastId = 0;
  /** Another one after each start and reset. */
  epoch = randomUUID();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Starts the clock of a request. The returned function adds it to the log. */
  start(request: Arrived, target: string) {
    const time = Date.now();
    const startedAt = performance.now();
    return (outcome: Outcome): void => {
      const tookMs = Math.round((performance.now() - startedAt) * 10) / 10;
      this.lastId += 1;
      const entry = finished({ id: this.lastId, time, tookMs, target }, request, outcome);
      this.#entries.push(entry);
      this.#length += lengthOf(entry);
      while (this.#entries.length > this.#limits.entries || this.#length > this.#limits.length) {
        const oldest = this.#entries.shift();
        if (oldest) this.#length -= lengthOf(oldest);
      }
    };
  }

  clear(): void {
    this.#entries = [];
    this.#length = 0;
    this.epoch = randomUUID();
  }

  get(id: number): LoggedRequest | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  /** The requests after the one with this id, oldest first. */
  since(id: number): readonly LoggedRequest[] {
    return this.#entries.filter((entry) => entry.id > id);
  }
}

/**
 * The id counts up from 1, and is the cursor for reading the log. The time is when it arrived, in
 * milliseconds since 1970. The target is path and query as they were sent.
 */
function finished(
  facts: { id: number; time: number; tookMs: number; target: string },
  { method = '', headers: { authorization }, rawHeaders }: Arrived,
  { note, body = Buffer.alloc(0), response }: Outcome,
) {
  return {
    ...facts,
    method,
    authorization,
    /** The fault that was applied, or why there was no response. */
    note,
    request: kept(rawHeaders, body),
    /** Undefined if the client got no response. */
    response: response && {
      status: response.status,
      ...kept(Object.entries(response.headers).flat(), Buffer.from(response.body)),
    },
  };
}

const lengthOf = ({ request, response }: LoggedRequest): number =>
  request.body.length + (response?.body.length ?? 0);

/** `headers` has names and values by turns, as they were sent; `bodyBytes` is the size of the whole body. */
function kept(headers: readonly string[], bytes: Buffer) {
  // Bytes, because V8 collects old strings only now and then. A part is copied, or it would keep all of them.
  const isShort = bytes.length <= maxKeptLength;
  const body = isShort ? bytes : Buffer.from(bytes.subarray(0, maxKeptLength));
  return { headers, body, bodyBytes: bytes.length };
}
