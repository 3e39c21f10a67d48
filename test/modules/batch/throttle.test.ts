import { expect, onTestFinished, test } from 'vitest';
import { Throttle } from '../../../src/modules/batch/runner/throttle.ts';

/** Sends rows that stay in progress until `finish` is called. */
function startRows(throttle: Throttle, count: number) {
  const finish: (() => void)[] = [];
  const watchers: { count: number; reached: () => void }[] = [];
  const send = () =>
    throttle.slots.run(
      () =>
        new Promise<void>((done) => {
          finish.push(done);
          for (const watcher of watchers) if (finish.length >= watcher.count) watcher.reached();
        }),
    );
  const ended = Promise.all(Array.from({ length: count }, send));
  onTestFinished(async () => {
    throttle.end();
    await new Promise(setImmediate);
    for (const done of finish) done();
    await ended;
  });
  return {
    /** The number in progress, once it has reached `count` and every row that may start has started. */
    async started(count: number): Promise<number> {
      if (finish.length < count) {
        await new Promise<void>((reached) => watchers.push({ count, reached }));
      }
      await new Promise(setImmediate);
      return finish.length;
    },
  };
}

const succeed = (throttle: Throttle, times: number) => {
  for (let time = 0; time < times; time += 1) throttle.succeeded();
};

test('after a 429, nothing is sent during the pause and half as many rows after it', async () => {
  const throttle = new Throttle(8);
  throttle.slowDown(1);
  expect(throttle.isPaused).toBe(true);
  const rows = startRows(throttle, 8);
  expect(await rows.started(4)).toBe(4);
  expect(throttle.isPaused).toBe(false);
});

test.each([
  ['rows that are refused together halve the number once', 8, 2, 4],
  ['one row is always sent', 1, 1, 1],
])('%s', async (_, maximum, refusals, count) => {
  const throttle = new Throttle(maximum);
  for (let refusal = 0; refusal < refusals; refusal += 1) throttle.slowDown(1);
  expect(await startRows(throttle, 8).started(count)).toBe(count);
});

test('every twenty successful rows, one more is sent at a time, up to the maximum', async () => {
  const throttle = new Throttle(4);
  throttle.slowDown(1);
  const rows = startRows(throttle, 6);
  expect(await rows.started(2)).toBe(2);
  succeed(throttle, 19);
  expect(await rows.started(2)).toBe(2);
  succeed(throttle, 1);
  expect(await rows.started(3)).toBe(3);
  succeed(throttle, 20);
  expect(await rows.started(4)).toBe(4);
  succeed(throttle, 40);
  expect(await rows.started(4)).toBe(4);
});

test('asked not to wait at all, it waits all the same', () => {
  const throttle = new Throttle(4);
  throttle.slowDown(0);
  expect(throttle.waitMs).toBeGreaterThan(500);
  throttle.end();
});

test('without a time to wait, each 429 doubles the pause until a row succeeds', () => {
  const throttle = new Throttle(4);
  const pauses = Array.from({ length: 5 }, (_, index) => {
    if (index === 3) throttle.succeeded();
    throttle.slowDown(undefined);
    return Math.round(throttle.waitMs / 1000);
  });
  throttle.end();
  // A pause is never made shorter: after the success, one of 1 s and one of 2 s change nothing.
  expect(pauses).toEqual([1, 2, 4, 4, 4]);
});
