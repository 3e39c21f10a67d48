import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { countryOf, languageCode } from '../../../src/core/records/names.ts';
import { shop } from '../../core/orders/shop.ts';

it('a form that was filled in is read without a flag, and its examples are not sent', async () => {
  const { run, folder, file } = await shop();
  const form = path.join(folder, 'orders.xlsx');
  expect((await run(['wr', 'create', '--template', '-O', form])).code).toBe(0);
  const { sheets } = await readXlsx(readFileSync(form));
  const [orders, lists] = sheets;
  expect([orders?.name, lists?.hidden]).toEqual(['Orders', true]);
  const ranges = orders?.dataValidations?.map(({ range }) => range[0]);
  expect(ranges).toEqual(['B', 'C', 'E', 'F', 'G']);
  // Every language and territory of the form is known.
  const column = (at: number) => (lists?.rows ?? []).map((row) => row[at]).filter(Boolean);
  expect(column(1).filter((name) => !languageCode(String(name)))).toEqual([]);
  expect(column(2).filter((name) => !countryOf(String(name)))).toEqual([]);
  const empty = await run(['wr', 'create', '--batch', form]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringMatching(/orders\.xlsx .* rows/)]);
  const due = new Date('2031-12-12T00:00:00Z');
  const filled = [
    ...['a-1001', 'Finnish', 'Finland', due, 'Europe/Helsinki', 'online', 'subtitled', ''],
  ];
  const copy = { name: 'Orders', rows: [...(orders?.rows ?? []), filled] };
  const choices = { name: 'Lists', rows: lists?.rows, hidden: true };
  const book = file('filled.xlsx', Buffer.from(await writeXlsx({ sheets: [copy, choices] })));
  const flags = ['--dry-run', '--jsonl', '--skip-checks=due'];
  const sent = await run(['wr', 'create', '--batch', book, ...flags]);
  expect(sent.code, sent.stderr).toBe(0);
  expect(JSON.parse(sent.stdout).request.body).toEqual({
    ...{ asset: { _id: 'a-1001' }, language: 'fin', territory: 'FIN' },
    due: { date: Date.parse('2031-12-12T23:59+02:00'), tz: 'Europe/Helsinki' },
    ...{ uses: { items: ['online'] }, dng: { dialogue: ['subtitled'] } },
  });
});
