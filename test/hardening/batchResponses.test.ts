import { expect, test } from 'vitest';
import { newBatch, numbered, onRow } from '../modules/batch/harness.ts';

test.each([
  ['null', 'not a record'],
  ['[]', 'not a record'],
  ['"x"', 'not a record'],
  ['{}', 'no _id'],
  ['{"error":"no such language"}', 'an error: no such language'],
  ['{"_id":""}', 'no _id'],
  ['{"_id":2}', 'no _id'],
  ['{"_id":null}', 'no _id'],
])('a row with response 200 and %s is unknown', async (body, problem) => {
  const { service, batch } = await newBatch(numbered(3), { treat: onRow('2', { body }) });
  const { code, stdout, stderr } = await batch.run();
  expect({ code, stdout }).toEqual({ code: 8, stdout: '3 rows: 2 done, 1 unknown\n' });
  expect(stderr).toMatch(new RegExp(`Row 2 \\(line 2\\) .*${problem}`));
  expect((await batch.verb('report')).stdout).toContain(problem);
  expect((await batch.run()).code).toBe(8);
  expect(service.received).toHaveLength(3);
});

test('a row far behind the first hundred is looked at as well', async () => {
  const { batch } = await newBatch(numbered(140), { treat: onRow('130', { body: '{}' }) });
  expect(await batch.run()).toMatchObject({ code: 8, stdout: '140 rows: 139 done, 1 unknown\n' });
});

test.each([
  ['offline put', '{}'],
  ['preview put', '{"error":"no"}'],
  ['event put', '[]'],
  ['offline put', '{"_id":"o-2"}'],
])('a row of mar %s with the response %s is unknown', async (command, body) => {
  const { batch } = await newBatch('{"_id":"o-1"}\n', { treat: () => ({ body }), command });
  expect(await batch.run()).toMatchObject({ code: 8, stdout: '1 row: 0 done, 1 unknown\n' });
});
