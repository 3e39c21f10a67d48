import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { numbered } from '../batch/harness.ts';
import { runProgram } from '../harness/program.ts';
import { writeService } from '../harness/writeService.ts';
import { newProgramBatch, programBatch } from './batchHarness.ts';

test.each([
  ['null', 'it is not a record'],
  ['[]', 'it is not a record'],
  ['[{"_id":"wr-2"}]', 'it is not a record'],
  ['"x"', 'it is not a record'],
  ['1', 'it is not a record'],
  ['{}', 'it has no _id'],
  ['{"error":"no such language"}', 'it has no _id'],
  ['{"_id":""}', 'it has no _id'],
  ['{"_id":2}', 'it has no _id'],
  ['{"_id":null}', 'it has no _id'],
])('a row with response 200 and %s is unknown', async (body, problem) => {
  const { service, batch } = await newProgramBatch(numbered(3), {
    treat: ({ instructions }) => (instructions === '2' ? { body } : {}),
  });
  const { code, stdout, stderr } = await batch.run();
  expect({ code, stdout }).toEqual({ code: 8, stdout: '3 rows: 2 done, 1 unknown\n' });
  expect(stderr).toContain('Row 2 (line 2) has an unknown outcome: ');
  expect(stderr).toContain(problem);
  expect((await batch.verb('report')).stdout).toContain(problem);
  expect((await batch.run()).code).toBe(8);
  expect(service.received).toHaveLength(3);
});

test('a row far behind the first hundred is looked at as well', async () => {
  const service = await writeService(({ instructions }) =>
    instructions === '130' ? { body: '{}' } : {},
  );
  const batch = programBatch(service, numbered(140));
  expect(await batch.run()).toMatchObject({ code: 8, stdout: '140 rows: 139 done, 1 unknown\n' });
});

test.each([
  ['offline put', '{}'],
  ['user put', 'null'],
  ['preview put', '{"error":"no"}'],
  ['event put', '[]'],
  ['offline put', '{"_id":"o-2"}'],
])('a row of mar %s with the response %s is unknown', async (command, body) => {
  const { batch } = await newProgramBatch('', { treat: () => ({ body }) });
  writeFileSync(batch.file, '{"_id":"o-1"}\n');
  const argv = [...command.split(' '), '--batch', batch.file];
  expect(await runProgram(argv, batch.env)).toMatchObject({
    code: 8,
    stdout: '1 row: 0 done, 1 unknown\n',
  });
});
