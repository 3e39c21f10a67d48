import { expect, it } from 'vitest';
import { mapConcurrently } from '../../../src/core/values/concurrency.ts';

async function* from<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** Work that ends when it is told to. */
function works() {
  const ends = new Map<string, (result: string) => void>();
  const begin = (name: string) =>
    new Promise<string>((resolve) => {
      ends.set(name, resolve);
    });
  return { begun: ends, begin, end: (name: string) => ends.get(name)?.(name.toUpperCase()) };
}

/** Lets all that is ready to run do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('yields results in the order of the items, whichever is done first', async () => {
  const { begin, end } = works();
  const all = collect(mapConcurrently(from('a', 'b', 'c'), 3, begin));
  await settled();
  for (const name of ['c', 'b', 'a']) end(name);
  expect((await all).map(({ result }) => result)).toEqual(['A', 'B', 'C']);
});

it('runs no more than it may side by side', async () => {
  const { begin, begun, end } = works();
  const all = collect(mapConcurrently(from('a', 'b', 'c'), 2, begin));
  await settled();
  expect([...begun.keys()]).toEqual(['a', 'b']);
  end('a');
  await settled();
  expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
  end('b');
  end('c');
  await all;
});

it('yields a result before the next item is there', async () => {
  async function* slow(): AsyncGenerator<string> {
    yield 'a';
    await new Promise(() => {});
  }
  const results = mapConcurrently(slow(), 6, async (name) => name);
  expect((await results.next()).value).toEqual({ result: 'a' });
});

it('gives the error of an item in its place, and goes on', async () => {
  const failure = new Error('b');
  const act = async (name: string) => {
    if (name === 'b') throw failure;
    return name;
  };
  const all = await collect(mapConcurrently(from('a', 'b', 'c'), 2, act));
  expect(all).toEqual([{ result: 'a' }, { error: failure }, { result: 'c' }]);
});

it('passes on the failure of its items, though it came while there was no room for one', async () => {
  const failure = new Error('no more');
  async function* broken(): AsyncGenerator<string> {
    yield 'a';
    throw failure;
  }
  let end = () => {};
  const act = (name: string) =>
    new Promise<string>((resolve) => {
      end = () => resolve(name);
    });
  const results = mapConcurrently(broken(), 1, act);
  const first = results.next();
  // An unhandled rejection would be reported by now, and fail the run.
  await new Promise((resolve) => setImmediate(resolve));
  end();
  expect((await first).value).toEqual({ result: 'a' });
  await expect(results.next()).rejects.toBe(failure);
});
