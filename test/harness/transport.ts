import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { MarError } from '../../src/core/errors.ts';
import { Redactor } from '../../src/core/http/redact.ts';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../src/core/http/transport.ts';

/** A transport without retries, which is closed after the test. */
export function testTransport(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({
    env: {},
    retries: 0,
    timeoutMs: 10_000,
    redactor: new Redactor(),
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

/** The error with which a request fails. */
export async function failureOf(sending: Promise<unknown>): Promise<MarError> {
  const error = await sending.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof MarError) return error;
  throw error;
}

/** Waits for the end of a connection. A reset is an end like any other. */
export const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (!socket || socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
