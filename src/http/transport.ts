import { maxTimerMs } from '../values/duration.ts';
import { type ConnectionOptions, createConnections } from './connections.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import { isTransient } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { Redactor } from './redact.ts';
import type { Trace } from './trace.ts';

export interface Transport {
  /**
   * Sends a request and reads its answer whole. Follows no redirect; repeats a GET alone. A signal
   * of its own ends it in place of the one for all.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** Loads what a request to this address will need, while something else is waited for. */
  prepare(url: URL): void;
  /** Lets go of the kept connections, so that the program can end. */
  close(): void;
}

export interface TransportOptions extends ConnectionOptions, ExchangeOptions {
  /** How many times a GET may be sent again. */
  retries: number;
  /** Told of each time that a request is sent again. */
  onRetry?: (text: string) => void;
  trace?: Trace;
  /** Knows the credentials in use, and learns each token that is issued. */
  redactor: Redactor;
}

/**
 * Plain `node:http` with kept connections: it is part of Node, so a single request starts in half
 * the time that a bundled HTTP library takes.
 */
export function createTransport(options: TransportOptions): Transport {
  const connections = createConnections(options);
  const { trace, redactor } = options;

  async function attempt(request: HttpRequest, number: number, signal?: AbortSignal) {
    const send = async (): Promise<HttpResponse> => {
      const route = await connections.to(request.url);
      const answer = await exchange(route, request, { ...options, signal });
      // Before anything of it is printed.
      if (request.mayIssueToken) {
        const { learnTokens } = await import('./printable.ts');
        learnTokens(answer.body.toString('utf8'), redactor);
      }
      return { ...answer, redactor, mayHoldToken: request.mayIssueToken === true };
    };
    return trace ? trace.around(request, number, send) : send();
  }

  return {
    send: (request, signal = options.signal) =>
      withRetries(request, (number) => attempt(request, number, signal), {
        retries: options.retries,
        signal,
        onRetry(outcome, waitMs, next) {
          const text = `${describe(outcome)}: trying again in ${(waitMs / 1000).toFixed(1)} s (attempt ${next})`;
          trace?.note(text);
          options.onRetry?.(text);
        },
      }),
    prepare(url) {
      // What goes wrong here goes wrong again, and is told, when the request is sent.
      connections.to(url).catch(() => {});
    },
    close: connections.close,
  };
}

function describe(outcome: Attempt): string {
  if ('answer' in outcome) return `the service answered ${outcome.answer.status}`;
  return outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const baseMs = 200;
const capMs = 5000;
const longestRetryAfterMs = 60_000;

/** What became of one attempt. */
type Attempt = { answer: HttpResponse; error?: undefined } | { error: unknown };

interface RetryOptions {
  /** How many times a request may be sent again. */
  retries: number;
  signal?: AbortSignal;
  /** Told before each wait. */
  onRetry(attempt: Attempt, waitMs: number, next: number): void;
}

/**
 * Sends a GET again when it failed in a way that may have passed. Anything else is sent once: that
 * it failed does not mean that it was not carried out.
 */
async function withRetries(
  request: HttpRequest,
  send: (attempt: number) => Promise<HttpResponse>,
  { retries, signal, onRetry }: RetryOptions,
): Promise<HttpResponse> {
  const most = request.method === 'GET' ? retries : 0;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await settle(send(attempt));
    const waitMs = attempt > most ? undefined : waitBefore(outcome, attempt);
    if (waitMs === undefined) {
      if ('answer' in outcome) return outcome.answer;
      throw outcome.error;
    }
    onRetry(outcome, waitMs, attempt + 1);
    await pause(waitMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout } = await import('node:timers/promises');
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw signal?.reason;
  });
}

const settle = (work: Promise<HttpResponse>): Promise<Attempt> =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );

/** How long to wait before the next attempt; undefined when there is no use in one. */
function waitBefore(outcome: Attempt, attempt: number): number | undefined {
  if (!('answer' in outcome)) return isTransient(outcome.error) ? jitter(attempt) : undefined;
  const { status, headers } = outcome.answer;
  if (!transientStatuses.has(status)) return undefined;
  const asked = retryAfter(headers['retry-after']);
  if (asked === undefined) return jitter(attempt);
  return asked <= longestRetryAfterMs ? asked : undefined;
}

/** Anywhere up to a bound that doubles: clients that failed together do not come back together. */
const jitter = (attempt: number) => Math.random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));

/** `Retry-After` in milliseconds: it is a number of seconds or a date. */
export function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : untilDate(value);
  return Number.isNaN(ms) ? undefined : Math.min(maxTimerMs, Math.max(0, ms));
}

/** A date begins with the day of the week; `Date.parse` takes almost anything for one. */
const untilDate = (value: string) =>
  /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
