import { type ConnectionOptions, createConnections } from './connections.ts';
import { type ExchangeOptions, exchange } from './exchange.ts';
import type { HttpAnswer, HttpRequest } from './message.ts';
import type { Redactor } from './redact.ts';
import { type Attempt, withRetries } from './retry.ts';
import type { Trace } from './trace.ts';

export interface Transport {
  /**
   * Sends a request and reads its answer whole. Follows no redirect; repeats a GET alone. A signal
   * of its own ends it in place of the one for all.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>;
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
    const send = async (): Promise<HttpAnswer> => {
      const route = await connections.to(request.url);
      const answer = await exchange(route, request, { ...options, signal });
      // Before anything of it is printed.
      if (request.mayIssueToken) {
        const { learnTokens } = await import('./issuedTokens.ts');
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
