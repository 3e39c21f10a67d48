import { type Settled, settle } from '../values/concurrency.ts';
import { maxTimerMs } from '../values/duration.ts';
import { type ConnectionOptions, createConnections } from './connections.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { isTransient } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { Redactor } from './redact.ts';
import type { Trace } from './trace.ts';

export interface Transport {
  /**
   * Sends a request and reads the whole response. Follows no redirect and repeats only GET. A signal
   * given here replaces the one for all requests.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** Loads the modules for this address ahead of the first request. */
  prepare(url: URL): void;
  /** Drops the kept connections, which would keep the process alive. */
  close(): void;
}

export interface TransportOptions extends ConnectionOptions, ExchangeOptions {
  retries: number;
  onRetry?: (message: string) => void;
  trace?: Trace;
  /** Knows the credentials in use, and learns each token that is issued. */
  redactor: Redactor;
}

/**
 * Plain `node:http` with kept connections. It is part of Node, so a single request starts in half
 * the time that a bundled HTTP library takes.
 */
export function createTransport(options: TransportOptions): Transport {
  const connections = createConnections(options);
  const { trace, redactor } = options;

  async function sendOnce(request: HttpRequest, tryNumber: number, signal?: AbortSignal) {
    const send = async (): Promise<HttpResponse> => {
      const route = await connections.to(request.url);
      const response = await exchange(route, request, { ...options, signal });
      // The redactor must know a new token before the response is printed anywhere.
      if (request.mayIssueToken) {
        const { learnTokens } = await import('./printable.ts');
        learnTokens(response.body.toString('utf8'), redactor);
      }
      return { ...response, redactor, mayHoldToken: request.mayIssueToken === true };
    };
    return trace ? trace.around(request, tryNumber, send) : send();
  }

  return {
    send: (request, signal = options.signal) =>
      withRetries(request, (tryNumber) => sendOnce(request, tryNumber, signal), {
        retries: options.retries,
        signal,
        onRetry(outcome, waitMs, nextTry) {
          const message = `${describe(outcome)}: trying again in ${(waitMs / 1000).toFixed(1)} s (attempt ${nextTry})`;
          trace?.event(message);
          options.onRetry?.(message);
        },
      }),
    prepare(url) {
      // A failure here comes back, and is reported, when the request is sent.
      connections.to(url).catch(() => {});
    },
    close: connections.close,
  };
}

type Outcome = Settled<HttpResponse>;

function describe({ result, error }: Outcome): string {
  if (result) return `the service answered ${result.status}`;
  return error instanceof Error ? error.message : String(error);
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const minBackoffMs = 200;
const maxBackoffMs = 5000;
const maxRetryAfterMs = 60_000;

interface RetryOptions {
  retries: number;
  signal?: AbortSignal;
  onRetry(outcome: Outcome, waitMs: number, nextTry: number): void;
}

/**
 * Repeats a GET after a transient failure. Every other request is sent once: a failed write may have
 * been carried out.
 */
async function withRetries(
  request: HttpRequest,
  send: (tryNumber: number) => Promise<HttpResponse>,
  { retries, signal, onRetry }: RetryOptions,
): Promise<HttpResponse> {
  const maxRetries = request.method === 'GET' ? retries : 0;
  for (let tryNumber = 1; ; tryNumber += 1) {
    const outcome = await settle(send(tryNumber));
    const waitMs = tryNumber > maxRetries ? undefined : retryDelay(outcome, tryNumber);
    if (waitMs === undefined) {
      if (outcome.result) return outcome.result;
      throw outcome.error;
    }
    onRetry(outcome, waitMs, tryNumber + 1);
    await pause(waitMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw signal?.reason;
  });
}

function retryDelay({ result, error }: Outcome, tryNumber: number): number | undefined {
  if (!result) return isTransient(error) ? backoff(tryNumber) : undefined;
  if (!transientStatuses.has(result.status)) return undefined;
  const requested = retryAfter(result.headers['retry-after']);
  if (requested === undefined) return backoff(tryNumber);
  return requested <= maxRetryAfterMs ? requested : undefined;
}

/** Random up to a limit that doubles, so that clients that failed together do not retry together. */
const backoff = (tryNumber: number) =>
  Math.random() * Math.min(maxBackoffMs, minBackoffMs * 2 ** (tryNumber - 1));

export function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : untilDate(value);
  return Number.isNaN(ms) ? undefined : Math.min(maxTimerMs, Math.max(0, ms));
}

/** An HTTP date starts with the day of the week. `Date.parse` would accept almost anything. */
const untilDate = (value: string) =>
  /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
