import { expect, test } from 'vitest';
import { atMost } from '../../../src/core/values/concurrency.ts';

/** Work that is in progress until it is told to end, by the order in which it started. */
function workOf(limited: ReturnType<typeof atMost>, names: string) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const all = [...names].map((name) =>
    limited(async () => {
      started.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    }),
  );
  return {
    all,
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
      return started.join('');
    },
    async started() {
      await new Promise(setImmediate);
      return started.join('');
    },
  };
}

test('no more run at a time than the limit; the others follow in their order', async () => {
  const work = workOf(atMost(2), 'abcd');
  expect(await work.started()).toBe('ab');
  expect(await work.end('b')).toBe('abc');
  expect(await work.end('a')).toBe('abcd');
});

test('work that fails makes way for the next', async () => {
  const limited = atMost(1);
  const failed = limited(() => Promise.reject(new Error('no')));
  const next = limited(async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});
