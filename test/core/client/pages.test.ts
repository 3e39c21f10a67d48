import { describe, expect, it } from 'vitest';
import { type FetchPage, pages } from '../../../src/core/client/pages.ts';
import type { Range } from '../../../src/core/client/request.ts';
import type { Page } from '../../../src/core/client/response.ts';
import { MarError } from '../../../src/core/errors.ts';

/** Lets all that is ready to run do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Source {
  ask: FetchPage<number>;
  asked: string[];
  signals: AbortSignal[];
}

/** A list of numbers, `cap` of them a page at the most. */
function numbers(
  size: number,
  { cap = size, total }: { cap?: number | ((from: number) => number); total?: number } = {},
): Source {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const ask = async ({ from, to }: Range, signal: AbortSignal) => {
    asked.push(`${from}-${to}`);
    signals.push(signal);
    const most = typeof cap === 'number' ? cap : cap(from);
    const length = Math.max(Math.min(to + 1, size, from + most) - from, 0);
    const records = Array.from({ length }, (_, index) => from + index);
    return (): Page<number> => ({ records, total, body: Buffer.from(JSON.stringify(records)) });
  };
  return { ask, asked, signals };
}

const usual = () => ({
  range: { from: 0 },
  pageSize: 10,
  statuses: (item: string) => (item === 'end' ? ['416', '400'] : ['400']),
  signal: new AbortController().signal,
});

async function collect(source: AsyncIterable<Page<number>>): Promise<number[]> {
  const all: number[] = [];
  for await (const { records } of source) all.push(...records);
  return all;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('pages', () => {
  it('end where the service refuses to send more', async () => {
    const { ask } = numbers(25);
    const refusal = new MarError('refused', 'no such range', { status: 416 });
    const strict: FetchPage<number> = async (range, signal) => {
      if (range.from >= 25) throw refusal;
      return ask(range, signal);
    };
    expect(await collect(pages(strict, usual()))).toEqual(upTo(25));
    const beyond = { ...usual(), range: { from: 30 } };
    await expect(collect(pages(strict, beyond))).rejects.toBe(refusal);
    const told: FetchPage<number> = async (range, signal) => {
      const read = await strict(range, signal);
      return () => ({ ...read(), total: 60 });
    };
    await expect(collect(pages(told, usual()))).rejects.toThrow('60 records');
  });

  it('are asked for while the one before is worked on, and no more than that', async () => {
    const { ask, asked } = numbers(1000);
    const source = pages(ask, usual());
    await source.next();
    await settled();
    expect(asked).toEqual(['0-9', '10-19']);
    await source.next();
    await settled();
    expect(asked).toHaveLength(3);
    await source.return(undefined);
  });

  it('are not asked for beyond the end of the range, or the total', async () => {
    const limited = numbers(1000);
    await collect(pages(limited.ask, { ...usual(), range: { from: 0, to: 24 } }));
    expect(limited.asked).toEqual(['0-9', '10-19', '20-24']);
    const counted = numbers(30, { total: 30 });
    await collect(pages(counted.ask, usual()));
    expect(counted.asked).toEqual(['0-9', '10-19', '20-29']);
  });

  it('go on from where a capped page stopped', async () => {
    const { ask, asked } = numbers(9, { cap: 4 });
    expect(await collect(pages(ask, usual()))).toEqual(upTo(9));
    expect(asked).toEqual(['0-9', '4-13', '8-17', '9-18']);
  });

  it('lose and repeat nothing when the cap changes on the way', async () => {
    const cap = (from: number) => [10, 10, 10, 7, 3, 10, 1][Math.floor(from / 20) % 7] ?? 10;
    const { ask } = numbers(500, { cap });
    expect(await collect(pages(ask, usual()))).toEqual(upTo(500));
  });

  it('that are not wanted any more are given up', async () => {
    const { ask, signals } = numbers(1000);
    const source = pages(ask, usual());
    await source.next();
    await source.return(undefined);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('end where the first empty one stands, though a total was wrong', async () => {
    const { ask } = numbers(30, { total: 5 });
    expect(await collect(pages(ask, usual()))).toEqual(upTo(30));
  });

  it('end at once with the reason of an interruption', async () => {
    const { ask } = numbers(100);
    const interruption = new AbortController();
    const hanging: FetchPage<number> = (range, signal) =>
      range.from === 0
        ? ask(range, signal)
        : new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
    const source = pages(hanging, { ...usual(), signal: interruption.signal });
    await source.next();
    const next = source.next();
    await settled();
    const reason = new Error('interrupted');
    interruption.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});
