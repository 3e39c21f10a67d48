import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { service as assetService } from '../../core/commands/oneAsset.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchOf, newBatch, numbered, onRequest } from './harness.ts';

test('a row whose response has the id of another row is unknown', async () => {
  const { batch } = await newBatch(numbered(4), {
    treat: onRequest(3, { body: '{"_id":"wr-1"}' }),
  });
  const stderr = await batch.ends(8, '4 rows: 3 done, 1 unknown', ['--concurrency', '1']);
  expect(stderr).toMatch(/Row 3 \(line 3\) .*_id .* wr-1\b/);
});

test('the ids of earlier runs count too, and those of rows that were decided', async () => {
  let isUp = false;
  const service = await writeService(({ instructions }) => {
    if (instructions === '2') return isUp ? { body: '{"_id":"wr-1"}' } : { status: 422 };
    if (instructions === '3') return isUp ? { body: '{"_id":"wr-9"}' } : { status: 422 };
    return instructions === '1' ? { body: '{"_id":"wr-1"}' } : 'reset';
  });
  const batch = batchOf(service, numbered(4));
  await batch.ends(8, '4 rows: 1 done, 2 failed, 1 unknown');
  isUp = true;
  await batch.verb('resolve', ['4=created:wr-9']);
  const summary = '4 rows: 2 done (0 sent now, 2 earlier), 2 unknown';
  await batch.ends(8, summary, ['--again=failed']);
});

test('a write by id may get the same id twice', async () => {
  const rows = '{"_id":"p-1","label":"a"}\n{"_id":"p-1","label":"b"}\n';
  const { batch } = await newBatch(rows, { command: 'preview put' });
  expect((await batch.run()).code).toBe(0);
  expect(readFileSync(batch.journal, 'utf8').match(/"event":"done","id":"p-1"/g)).toHaveLength(2);
});

test('a row whose response is empty is compared with the record that is then read, and remembered', async () => {
  const { env } = await assetService(
    (body) => body,
    () => undefined,
  );
  const batch = ['asset', 'put', '--batch', '-', '--journal', `${temporaryFolder()}/rows`];
  const stdin = '_id,name\na-1,Four\n';
  const rows = await mar([...batch, '--skip-checks', '--json'], { env, stdin });
  expect(rows.code, rows.stderr).toBe(0);
  const change = ['asset', 'put', 'a-1', '--json', '--skip-checks', '--set', 'name=Five'];
  expect((await mar(change, { env })).code).toBe(0);
});
