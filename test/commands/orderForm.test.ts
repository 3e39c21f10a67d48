import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { shop } from '../orders/shop.ts';

it('a form that was filled in is read without a flag, and its examples are not sent', async () => {
  const { run, folder, file } = await shop();
  const form = path.join(folder, 'orders.xlsx');
  expect((await run(['wr', 'create', '--template', '-O', form])).code).toBe(0);
  const { sheets } = await readXlsx(readFileSync(form));
  const [orders, lists] = sheets;
  expect([orders?.name, lists?.hidden]).toEqual(['Orders', true]);
  const ranges = orders?.dataValidations?.map(({ range }) => range[0]);
  expect(ranges).toEqual(['B', 'C', 'E', 'F', 'G']);
  const empty = await run(['wr', 'create', '--batch', form]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('has no rows')]);
  const due = new Date('2031-12-12T00:00:00Z');
  const filled = [
    'a-1001',
    'Finnish',
    'Finland',
    due,
    'Europe/Helsinki',
    'online',
    'subtitled',
    '',
  ];
  const rows = [...(orders?.rows ?? []), filled];
  const copy = { name: 'Orders', rows };
  const choices = { name: 'Lists', rows: lists?.rows, hidden: true };
  const book = file('filled.xlsx', Buffer.from(await writeXlsx({ sheets: [copy, choices] })));
  const sent = await run([
    'wr',
    'create',
    '--batch',
    book,
    '--dry-run',
    '--jsonl',
    '--skip-checks=due',
  ]);
  expect(sent.code, sent.stderr).toBe(0);
  expect(JSON.parse(sent.stdout).request.body).toEqual({
    ...{ asset: { _id: 'a-1001' }, language: 'fin', territory: 'FIN' },
    due: { date: Date.parse('2031-12-12T23:59+02:00'), tz: 'Europe/Helsinki' },
    ...{ uses: { items: ['online'] }, dng: { dialogue: ['subtitled'] } },
  });
});

it('every language and territory of the form is known', async () => {
  const { run, folder } = await shop();
  const form = path.join(folder, 'orders.xlsx');
  await run(['wr', 'create', '--template', '-O', form]);
  const [, lists] = (await readXlsx(readFileSync(form))).sheets;
  const { countryOf, languageCode } = await import('../../src/records/names.ts');
  const column = (at: number) => (lists?.rows ?? []).map((row) => row[at]).filter(Boolean);
  expect(column(1).filter((name) => !languageCode(String(name)))).toEqual([]);
  expect(column(2).filter((name) => !countryOf(String(name)))).toEqual([]);
});
