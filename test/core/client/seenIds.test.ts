import { expect, it } from 'vitest';
import { SeenIds } from '../../../src/core/client/pages.ts';

const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ value: { _id: `d-${from + index}` } }));

it('finds no id twice where there is none, in a long list', () => {
  const seen = new SeenIds();
  let again = 0;
  for (let from = 0; from < 300_000; from += 100)
    again += seen.countRepeated(records(from, from + 100));
  expect(again).toBe(0);
});

it('finds ids that came up to 8,000 records before, wherever they stand', () => {
  const seen = new SeenIds();
  for (let from = 0; from < 50_000; from += 100) {
    expect(seen.countRepeated(records(from, from + 100))).toBe(0);
    if (from >= 8000) expect(seen.countRepeated(records(from - 8000, from - 7990))).toBe(10);
  }
});

it('knows records without an id from none other', () => {
  const values = [null, 1, 'text', {}, { _id: 5 }].map((value) => ({ value }));
  expect(new SeenIds().countRepeated([...values, ...values])).toBe(0);
});
