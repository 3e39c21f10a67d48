import { onTestFinished } from 'vitest';
import { Redactor } from '../../src/http/redact.ts';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../src/http/transport.ts';

/** A transport without retries, which is closed after the test. */
export function testTransport(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({
    env: {},
    retries: 0,
    timeoutMs: 10_000,
    maxBodyBytes: 1_000_000,
    redactor: new Redactor(),
    baseUrlName: 'the base URL',
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}
