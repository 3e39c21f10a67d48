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

it('the sheet of a week has counts by status, language and group, and a chart of the first', async () => {
  const { run, folder } = await shop();
  const file = path.join(folder, 'week.xlsx');
  expect((await run(['today', 'wr-2001', 'wr-2011', 'wr-2012', '-O', file])).code).toBe(0);
  const { sheets } = await readXlsx(readFileSync(file));
  const [, summary] = sheets;
  expect(summary?.rows.map((row) => row.join(':'))).toEqual([
    'Status:Work requests',
    'in-progress:2',
    'awaiting-approval:1',
    ':',
    'Language:Work requests',
    'fra:2',
    'deu:1',
    ':',
    'Group:Work requests',
    ...['Late:1', 'Due in 24 hours:1', 'Others:1'],
  ]);
  expect(summary?.charts).toMatchObject([
    { series: [{ valuesRef: 'Summary!$B$2:$B$3', categoriesRef: 'Summary!$A$2:$A$3' }] },
  ]);
});
