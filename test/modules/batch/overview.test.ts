import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';
import { requestWords } from '../../words/requests.ts';
import { newBatch } from './harness.ts';

const content = [
  'Title;Language;Territory;Due;TZ;Use;Budget',
  'The Harbor Light – Trailer A;French;France;12.12.2031 18:00;Europe/Paris;online;1',
  'a-1001;Frnch;FRA;2031-12-12;Europe/Paris;online;2',
  'a-1001;Frnch;DEU;2031-12-12;Europe/Paris;online;3',
  '',
].join('\n');
const flags = ['--map', 'Title=asset', '--map', 'Budget=', '--skip-checks=due'];

it('--check shows what would be ordered, and what was translated from what', async () => {
  const { run, file, folder } = await shop();
  const argv = ['wr', 'create', '--batch', file('rows.csv', content), '--check', ...flags];
  const checked = await run([...argv, '--verify-ids', '--json']);
  const { orders, ...counts } = JSON.parse(checked.stdout);
  expect(counts).toMatchObject({ rows: 3, valid: 1, invalid: 2, invalidRows: [2, 3] });
  expect(orders[0]).toEqual({
    ...{ row: 1, asset: 'a-1001', name: 'The Harbor Light – Trailer A' },
    ...{ language: 'fra', territory: 'FRA', due: '2031-12-12 18:00 Europe/Paris' },
    wishes: 'use: online',
    instructions: '',
    state: 'new',
    remarks: [requestWords.dueFar],
    translated: [
      { field: 'due.date', from: '12.12.2031 18:00', to: '2031-12-12 18:00' },
      { field: 'language', from: 'French', to: 'fra' },
      { field: 'territory', from: 'France', to: 'FRA' },
      { field: 'asset', from: 'The Harbor Light – Trailer A', to: 'a-1001' },
    ],
  });
  expect(orders[1].problem).toMatch(/Frnch/);
  const screen = await run([...argv, '--verify-ids'], { columns: 200 });
  expect(screen.stdout).toMatch(
    /1 +new +a-1001 +The Harbor Light – Trailer A +fra +FRA.*12\.12\.2031 18:00 → /,
  );
  // The table says it.
  expect(screen.stdout + screen.stderr).not.toContain('Read as');
  expect(screen.stderr).toMatch(/rows 2-3: language Frnch.*\bfra\b/);
  expect(screen.stderr).toContain('column Budget');
  const review = path.join(folder, 'review.xlsx');
  expect((await run([...argv, '-O', review])).code).toBe(8);
  const [sheet] = (await readXlsx(readFileSync(review))).sheets;
  expect(sheet?.rows[1]).toEqual(expect.arrayContaining([1, 'a-1001', 'fra', 'FRA']));
});

it('problems of one kind share a line', async () => {
  const rows = 'language\nFrnch\nfra\nFrnch\nFrnch\nGermn\n';
  const { batch } = await newBatch(rows, { name: 'rows.csv' });
  const stderr = await batch.fails(2, ['--skip-checks=order']);
  expect(stderr).toMatch(/rows 1, 3-4: language Frnch/);
  expect(stderr).toMatch(/row 5 \(line 6\): language Germn/);
});
