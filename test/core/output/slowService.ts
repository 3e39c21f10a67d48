import { EventEmitter, once } from 'node:events';
import { expect, vi } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { startMar } from '../../harness/mar.ts';

/** A service that responds only after it is told to. */
export async function slowService(body = '{"_id":"a-1"}') {
  const events = new EventEmitter();
  const arrived = once(events, 'request');
  const released = once(events, 'respond');
  const { baseUrl, env } = await fakeService(async () => {
    events.emit('request');
    await released;
    return body;
  });
  const { host } = new URL(baseUrl);
  return { env, host, requested: () => arrived, respond: () => events.emit('respond') };
}

export interface Terminal {
  env?: Record<string, string>;
  columns?: number;
}

/**
 * Every byte that standard error gets during a request of 25 seconds. The clock of the progress must
 * be a fake: setInterval, clearInterval and performance.
 */
export async function bytesOf(
  argv: readonly string[] | ((env: Record<string, string>) => readonly string[]),
  { env, columns }: Terminal,
  body?: string,
): Promise<string> {
  const service = await slowService(body);
  const line = typeof argv === 'function' ? argv(service.env) : argv;
  const run = startMar(line, { env: { ...service.env, ...env }, columns });
  await service.requested();
  vi.advanceTimersByTime(1000);
  // The first update loads the spinner.
  await import('ora');
  vi.advanceTimersByTime(24_000);
  service.respond();
  expect(await run.ended).toMatchObject({ code: 0 });
  return run.stderr.text;
}
