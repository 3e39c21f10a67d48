import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shop } from '../../core/orders/shop.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('a sheet of mar today is named after the list, and has dates as dates and durations in days', async () => {
  const { run, folder } = await shop();
  const file = path.join(folder, 'today.xlsx');
  expect((await run(['today', 'wr-2001', 'wr-2002', '-O', file])).code).toBe(0);
  const book = await readXlsx(readFileSync(file), { readStyles: true });
  const [only] = book.sheets;
  const [heads = [], row = []] = only?.rows ?? [];
  const at = (head: string) => row[heads.findIndex((one) => String(one).startsWith(head))];
  expect([only?.name, at('Due')]).toEqual(['Today', expect.any(Date)]);
  expect(heads).toContain('Time left (days)');
  expect(Math.abs(Number(at('Time left')))).toBeLessThan(1000);
  expect(only?.autoFilter?.range).toMatch(/^A1:[A-Z]+3$/);
  expect(only?.cells?.get('0,0')?.style?.font?.bold).toBe(true);
});
