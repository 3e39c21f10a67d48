import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchOf, newBatch, numbered, numbersOf, onRequest, order } from './harness.ts';

const twice =
  'asset,uses.items,language,instructions\na-1,online,fra,1\na-1,online,deu,2\n\na-1,online,fra,1\n';

test('equal rows are refused before anything is sent, with their rows and lines', async () => {
  const { service, batch } = await newBatch(twice, { name: 'rows.csv' });
  const problem = /row 3 \(line 5\): .*row 1 \(line 2\)\n[\s\S]*--again/;
  expect(await failure(2, batch.run())).toMatch(problem);
  expect(service.received).toEqual([]);
  expect(existsSync(batch.journal)).toBe(false);
  expect(await batch.ends(8, '3 rows: 2 valid, 1 invalid', ['--check'])).toMatch(problem);
  await batch.fails(0, ['--check', '--again']);
});

test('--again sends equal rows, and --skip-checks does not', async () => {
  const { service, batch } = await newBatch(twice, { name: 'rows.csv' });
  await batch.fails(2, ['--skip-checks']);
  await batch.ends(0, '3 rows: 3 done', ['--again']);
  expect(numbersOf(service).sort()).toEqual([1, 1, 2]);
});

test('rows are equal if they are the same record once --set and --unset are applied', async () => {
  const { batch } = await newBatch(order('1', { tags: [] }) + order('1', { tags: ['z'] }));
  const dryRun = (code: number, ...flags: string[]) => batch.fails(code, [...flags, '--dry-run']);
  await dryRun(0);
  const duplicate = /row 2 \(line 2\): .*row 1/;
  expect(await dryRun(2, '--unset', 'tags')).toMatch(duplicate);
  expect(await dryRun(2, '--set', 'tags=["x"]')).toMatch(duplicate);
  // The first row becomes what the second one was.
  await dryRun(0, '--set', 'tags[+]=z');
});

test('--skip-invalid sends one of several equal rows, and the next run none of the others', async () => {
  const { service, batch } = await newBatch(numbered(2) + numbered(2) + numbered(1));
  expect(await batch.fails(8, ['--skip-invalid'])).toMatch(/rows 3, 5: .*row 1 \(line 1\)\n/);
  await batch.fails(8, ['--skip-invalid']);
  await batch.fails(2);
  expect(numbersOf(service).sort()).toEqual([1, 2]);
  await batch.fails(0, ['--again']);
  expect(numbersOf(service).sort()).toEqual([1, 1, 1, 2, 2]);
});

test('a batch that was started with --again is resumed with it', async () => {
  const { service, batch } = await newBatch(numbered(1).repeat(4), {
    treat: onRequest(2, { status: 401 }),
  });
  const flags = ['--again', '--concurrency', '1'];
  await batch.ends(4, '4 rows: 1 done, 3 pending', flags);
  expect(await batch.fails(2)).toContain('--again');
  await batch.fails(0, flags);
  expect(service.received).toHaveLength(5);
  await batch.fails(0);
  appendFileSync(batch.file, order('2'));
  await batch.fails(0);
  expect(service.received).toHaveLength(6);
});

test('a copy of a done row that is added to the file is refused', async () => {
  const { service, batch } = await newBatch(numbered(3));
  await batch.run();
  writeFileSync(batch.file, `${numbered(4)}${order('2')}`);
  expect(await batch.fails(2)).toMatch(/row 5 \(line 5\): .*row 2 \(line 2\)\n/);
  expect(service.received).toHaveLength(3);
  await batch.fails(0, ['--again']);
  expect(service.received).toHaveLength(5);
});

test('equal rows in different shards are sent once', async () => {
  const { service, batch } = await newBatch(numbered(3).repeat(4));
  for (const shard of ['1/2', '2/2']) await batch.fails(8, ['--shard', shard, '--skip-invalid']);
  expect(numbersOf(service).sort()).toEqual([1, 2, 3]);
});

test('equal events are refused; equal rows of other PUTs only write the same record twice', async () => {
  const service = await writeService();
  const { file } = batchOf(service, '{"_id":"x-1"}\n'.repeat(2));
  const put = (noun: string, ...flags: string[]) =>
    mar([noun, 'put', '--batch', file, '--journal', `${file}.${noun}`, ...flags], service);
  expect(await failure(2, put('event'))).toMatch(/row 2 \(line 2\): .*row 1 \(line 1\)\n/);
  expect((await put('event', '--again')).code).toBe(0);
  expect((await put('preview')).code).toBe(0);
  expect((await put('preview', '--again')).code).toBe(2);
});
