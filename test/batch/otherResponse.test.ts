import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mar } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, numbered } from './harness.ts';

/** A service that responds to row 3 with the record of row 1. */
const confused = () =>
  writeService(({ instructions }) => ({
    body: JSON.stringify({ _id: `wr-${instructions === '3' ? '1' : instructions}` }),
  }));

test('a row whose response has the id of another row is unknown', async () => {
  const service = await confused();
  const batch = batchOf(service, numbered(4));
  const { code, stdout, stderr } = await batch.run(['--concurrency', '1']);
  expect({ code, stdout }).toEqual({ code: 8, stdout: '4 rows: 3 done, 1 unknown\n' });
  expect(stderr).toContain('Row 3 (line 3) has an unknown outcome: ');
  expect(stderr).toContain(
    'it has the _id of another row, wr-1, so it may be the response to that',
  );
});

test('the ids of earlier runs count too, and those of rows that were decided', async () => {
  let isUp = false;
  const service = await writeService(({ instructions }) => {
    if (instructions === '2') return isUp ? { body: '{"_id":"wr-1"}' } : { status: 422 };
    if (instructions === '3') return isUp ? { body: '{"_id":"wr-9"}' } : { status: 422 };
    return instructions === '1' ? { body: '{"_id":"wr-1"}' } : 'reset';
  });
  const batch = batchOf(service, numbered(4));
  expect((await batch.run()).stdout).toBe('4 rows: 1 done, 2 failed, 1 unknown\n');
  isUp = true;
  const again = await batch.run(['--retry-failed', '--resolve', '4=created:wr-9']);
  expect(again.stdout).toBe('4 rows: 2 done (0 sent now, 2 earlier), 2 unknown\n');
});

test('a write by id may get the same id twice', async () => {
  const service = await writeService();
  const { file, journal } = batchOf(
    service,
    '{"_id":"p-1","label":"a"}\n{"_id":"p-1","label":"b"}\n',
  );
  const { code, stderr } = await mar(['preview', 'put', '--batch', file], { env: service.env });
  expect(code, stderr).toBe(0);
  expect(readFileSync(journal, 'utf8').match(/"event":"done","id":"p-1"/g)).toHaveLength(2);
});
