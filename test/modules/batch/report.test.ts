import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonLines, newBatch, numbered, onRow } from './harness.ts';

test('a report is a list: for people, for programs, or in a file of the format of its name', async () => {
  const { batch } = await newBatch(numbered(2), { treat: onRow('2', { status: 422 }) });
  await batch.run();
  const rows = [
    { row: 1, state: 'done', id: 'wr-1' },
    { row: 2, state: 'failed', message: expect.stringContaining('422') },
  ];
  expect(JSON.parse((await batch.verb('report', ['--json'])).stdout)).toEqual(rows);
  expect((await batch.verb('report')).stdout).toMatch(/^1\tdone\twr-1\t\n2\tfailed\t\t.*422.*\n$/);
  const csv = `${batch.file}.csv`;
  expect(await batch.verb('report', ['-O', csv])).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(csv, 'utf8')).toMatch(/^row,state,id,message\r\n1,done,wr-1,\r\n2,failed,,/);
});

test('an id of any length is reported', async () => {
  const id = 'x'.repeat(40_000);
  const { batch } = await newBatch(numbered(1), {
    treat: () => ({ body: JSON.stringify({ _id: id }) }),
  });
  await batch.run();
  expect((await batch.verb('report', ['-o', 'csv'])).stdout).toContain(`1,done,${id},`);
});

test('rows that are not listed when they fail are in the report', async () => {
  const { batch } = await newBatch(numbered(25), { treat: () => ({ status: 422 }) });
  expect(await batch.fails(8)).toContain(`mar batch report ${batch.file}\n`);
  expect(jsonLines((await batch.verb('report', ['--jsonl'])).stdout)).toHaveLength(25);
});

test('records that cannot be printed are an error, once all rows are done', async () => {
  const { batch } = await newBatch(numbered(3));
  const stderr = await batch.fails(1, ['--jq', '._id | tonumber']);
  expect(jsonLines(stderr).at(-1).error).toMatchObject({
    kind: 'filter',
    next: [['mar', 'batch', 'report', batch.file]],
  });
  expect((await batch.verb('status')).stdout).toBe('3 rows: 3 done\n');
});
