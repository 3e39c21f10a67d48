import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mar } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, newBatch, numbered, numbersOf, onRequest, order } from './harness.ts';

const twice =
  'asset,uses.items,language,instructions\na-1,online,fra,1\na-1,online,deu,2\n\na-1,online,fra,1\n';

test('equal rows are refused before anything is sent, with their rows and lines', async () => {
  const { service, batch } = await newBatch(twice, { name: 'rows.csv' });
  const { code, stdout, stderr } = await batch.run();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replaceAll(batch.file, 'rows.csv')).toBe(
    [
      'error: 1 of 3 rows in rows.csv is invalid',
      '  row 3 (line 5): duplicate of row 1 (line 2)',
      '  Nothing was sent. Fix these rows, or use --skip-invalid to send the rest.',
      '  To send the duplicates too, use --allow-duplicates.',
      '',
    ].join('\n'),
  );
  expect(service.received).toEqual([]);
  expect(existsSync(batch.journal)).toBe(false);
});

test('--check reports equal rows like invalid ones', async () => {
  const batch = batchOf(await writeService(), twice, 'rows.csv');
  const { code, stdout, stderr } = await batch.run(['--check']);
  expect({ code, stdout }).toEqual({ code: 8, stdout: '3 rows: 2 valid, 1 invalid\n' });
  expect(stderr).toContain('row 3 (line 5): duplicate of row 1 (line 2)\n');
  expect(stderr).toContain('To send the duplicates too, use --allow-duplicates.\n');
  expect((await batch.run(['--check', '--allow-duplicates'])).code).toBe(0);
});

test.each(['--allow-duplicates', '--skip-checks'])('%s sends equal rows', async (flag) => {
  const service = await writeService();
  expect(await batchOf(service, twice, 'rows.csv').run([flag])).toMatchObject({
    code: 0,
    stdout: '3 rows: 3 done\n',
  });
  expect(numbersOf(service).sort()).toEqual([1, 1, 2]);
});

test('rows are equal if they are the same record once --set and --unset are applied', async () => {
  const service = await writeService();
  const run = (...flags: string[]) =>
    batchOf(service, order('1', { tags: [] }) + order('1', { tags: ['z'] })).run([
      ...flags,
      '--dry-run',
    ]);
  expect((await run()).code).toBe(0);
  expect((await run('--unset', 'tags')).stderr).toContain('row 2 (line 2): duplicate of row 1');
  expect((await run('--set', 'tags=["x"]')).stderr).toContain('row 2 (line 2): duplicate of row 1');
  // The first row becomes what the second one was.
  expect((await run('--set', 'tags[+]=z')).code).toBe(0);
});

test('--skip-invalid sends one of several equal rows, and the next run none of the others', async () => {
  const { service, batch } = await newBatch(numbered(2) + numbered(2) + numbered(1));
  expect(await batch.fails(8, ['--skip-invalid'])).toContain(
    'rows 3, 5: duplicate of row 1 (line 1)\n',
  );
  expect((await batch.run(['--skip-invalid'])).code).toBe(8);
  expect((await batch.run()).code).toBe(2);
  expect(numbersOf(service).sort()).toEqual([1, 2]);
  expect((await batch.run(['--allow-duplicates'])).code).toBe(0);
  expect(numbersOf(service).sort()).toEqual([1, 1, 1, 2, 2]);
});

test('a batch that was started with --allow-duplicates is resumed without it', async () => {
  const { service, batch } = await newBatch(numbered(1).repeat(4), {
    treat: onRequest(2, { status: 401 }),
  });
  const stopped = await batch.run(['--allow-duplicates', '--concurrency', '1']);
  expect(stopped).toMatchObject({ code: 4, stdout: '4 rows: 1 done, 3 pending\n' });
  expect((await batch.run()).code).toBe(0);
  expect(service.received).toHaveLength(5);
  expect((await batch.run()).code).toBe(0);
  appendFileSync(batch.file, order('2'));
  expect((await batch.run()).code).toBe(0);
  expect(service.received).toHaveLength(6);
});

test('a copy of a done row that is added to the file is refused', async () => {
  const { service, batch } = await newBatch(numbered(3));
  await batch.run();
  writeFileSync(batch.file, `${numbered(4)}${order('2')}`);
  expect(await batch.fails(2)).toContain('row 5 (line 5): duplicate of row 2 (line 2)\n');
  expect(service.received).toHaveLength(3);
  expect((await batch.run(['--allow-duplicates'])).code).toBe(0);
  expect(service.received).toHaveLength(5);
});

test('equal rows in different shards are sent once', async () => {
  const { service, batch } = await newBatch(numbered(3).repeat(4));
  for (const shard of ['1/2', '2/2']) {
    expect((await batch.run(['--shard', shard, '--skip-invalid'])).code).toBe(8);
  }
  expect(numbersOf(service).sort()).toEqual([1, 2, 3]);
});

test('equal events are refused; equal rows of other PUTs only write the same record twice', async () => {
  const service = await writeService();
  const { file } = batchOf(service, '{"_id":"x-1"}\n'.repeat(2));
  const put = (noun: string, ...flags: string[]) =>
    mar([noun, 'put', '--batch', file, '--journal', `${file}.${noun}`, ...flags], service);
  const events = await put('event');
  expect(events.code).toBe(2);
  expect(events.stderr).toContain('row 2 (line 2): duplicate of row 1 (line 1)\n');
  expect((await put('event', '--allow-duplicates')).code).toBe(0);
  expect((await put('preview')).code).toBe(0);
  expect((await put('preview', '--allow-duplicates')).stderr).toContain('unknown flag');
});
