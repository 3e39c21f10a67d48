import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';
import { newBatch } from './harness.ts';

it('gives a workbook back with the ids, states and web pages of its rows', async () => {
  const { run, file, folder } = await shop('/workrequests 422 34%');
  const due = new Date('2031-12-12T00:00:00Z');
  const rows = [
    ['Plan'],
    ['Asset', 'Language', 'Territory', 'Due', 'TZ', 'Use', 'Cost'],
    ['a-1001', 'French', 'France', due, 'Paris', 'online', 12.5],
    ['a-1001', 'German', 'Germany', due, 'Berlin', 'online', 7],
    ['a-1001', 'Finnish', 'Finland', '12.12.2031', 'Helsinki', 'online', 7],
  ];
  const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'Plan', rows }] }));
  const batch = file('plan.xlsx', book);
  const flags = ['--map', 'Cost=', '--concurrency', '1', '--skip-checks=due'];
  const ordered = await run(['wr', 'create', '--batch', batch, ...flags]);
  expect(ordered.code).toBe(8);
  expect(ordered.stderr).toContain(`mar batch report ${batch} -O done.xlsx`);
  const done = path.join(folder, 'done.xlsx');
  expect((await run(['batch', 'report', batch, '-O', done])).code).toBe(0);
  const [sheet] = (await readXlsx(readFileSync(done))).sheets;
  const [heads, first, , third] = sheet?.rows ?? [];
  expect(heads).toEqual([...(rows[1] ?? []), 'Id', 'State', 'Message', 'Web page']);
  expect(first?.slice(0, 7)).toEqual(rows[2]);
  expect(first?.slice(8, 9)).toEqual(['done']);
  expect(first?.[10]).toMatch(new RegExp(`^http.*${first?.[7]}`));
  expect(sheet?.cells?.get('1,10')?.hyperlink?.target).toBe(first?.[10]);
  expect(third?.slice(0, 7)).toEqual(rows[4]);
  expect(third?.slice(8, 10)).toEqual(['failed', expect.stringMatching(/422|refused/i)]);
  const text = path.join(folder, 'done.csv');
  expect((await run(['batch', 'report', batch, '-O', text])).code).toBe(0);
  expect(readFileSync(text, 'utf8')).toContain(
    'a-1001,French,France,2031-12-12,Paris,online,12.5,',
  );
});

it('leaves out the hidden columns that were skipped', async () => {
  const { run, file, folder } = await shop();
  const rows = [
    ['Asset', 'Notes', 'Language', 'Use'],
    ['a-1001', 'private', 'fra', 'online'],
  ];
  const columns = [{}, { hidden: true }];
  const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'Plan', rows, columns }] }));
  const batch = file('plan.xlsx', book);
  const ordered = await run(['wr', 'create', '--batch', batch, '--hidden', 'skip']);
  expect(ordered.code).toBe(0);
  const done = path.join(folder, 'done.csv');
  expect((await run(['batch', 'report', batch, '-O', done])).code).toBe(0);
  const text = readFileSync(done, 'utf8');
  expect(text).toMatch(/^Asset,Language,Use,id,state,message,page\r\na-1001,fra,online,\w+,done/);
});

it('has web pages of work requests alone', async () => {
  const { run, file, folder } = await shop();
  expect((await run(['wr', 'get', 'wr-2001'])).code).toBe(0);
  const batch = file('assets.csv', '_id,name\na-1001,New\n');
  expect((await run(['asset', 'put', '--batch', batch])).code).toBe(0);
  const done = path.join(folder, 'done.xlsx');
  expect((await run(['batch', 'report', batch, '-O', done])).code).toBe(0);
  const [sheet] = (await readXlsx(readFileSync(done))).sheets;
  expect(sheet?.rows[1]?.slice(0, 4)).toEqual(['a-1001', 'New', 'a-1001', 'done']);
  expect(sheet?.rows[1]?.[5] ?? '').toBe('');
});

it('is what a run with -O writes, beside its summary', async () => {
  const { run, file, folder } = await shop();
  const batch = file('plan.csv', 'asset,language,use\na-1001,fra,online\na-1001,deu,online\n');
  const out = path.join(folder, 'ids.csv');
  const ordered = await run(['wr', 'create', '--batch', batch, '-O', out, '--skip-checks']);
  expect([ordered.code, ordered.stdout]).toEqual([0, '']);
  expect(ordered.stderr).toContain('2 rows: 2 done');
  expect(ordered.stderr).not.toContain('mar batch report');
  const again = path.join(folder, 'again.csv');
  expect((await run(['batch', 'report', batch, '-O', again])).code).toBe(0);
  const text = readFileSync(out, 'utf8');
  expect(readFileSync(again, 'utf8')).toBe(text);
  expect(text).toMatch(
    /^asset,language,use,id,state,message,page\r\na-1001,fra,online,\w+,done,,.*\r\na-1001,deu/,
  );
  // Without a file, the rows of the journal.
  const { stdout } = await run(['batch', 'report', batch, '-o', 'csv']);
  expect(stdout).toMatch(/^row,state,id,message\r\n1,done,\w+,\r\n2,done/);
});

it('works while the batch runs', async () => {
  const rows = [
    ['Asset', 'Language', 'Uses', 'Instructions'],
    ...['1', '2'].map((one) => ['a-1', 'fra', 'online', one]),
  ];
  const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'Plan', rows }] }));
  let report: Promise<unknown> | undefined;
  const { batch } = await newBatch(book, {
    name: 'plan.xlsx',
    treat() {
      report ??= batch.verb('report', ['-O', `${batch.file}.done.xlsx`]);
      return {};
    },
  });
  expect((await batch.run(['--concurrency', '1'])).code).toBe(0);
  expect(await report).toMatchObject({ code: 0 });
  const [sheet] = (await readXlsx(readFileSync(`${batch.file}.done.xlsx`))).sheets;
  expect(sheet?.rows.map((row) => row[3])).toEqual(['Instructions', '1', '2']);
});
