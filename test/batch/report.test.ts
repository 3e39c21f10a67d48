import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, newBatch, numbered } from './harness.ts';

test.each([
  ['its input', 'rows.jsonl', '--report would overwrite'],
  ['its input by another name', 'link', '--report would overwrite'],
  ['its journal', 'rows.jsonl.mar-journal', '--report would overwrite'],
  ['a folder', 'folder', 'is a folder'],
  ['a folder that is not there', 'no/report.csv', 'no such folder'],
  ['standard output', '-', '--report needs a file name: standard output is for the result'],
])('a report in place of %s is refused before anything is sent', async (_, report, problem) => {
  const { service, batch } = await newBatch(numbered(1));
  const folder = path.dirname(batch.file);
  linkSync(batch.file, path.join(folder, 'link'));
  mkdirSync(path.join(folder, 'folder'));
  const place = report === '-' ? report : path.join(folder, report);
  const { code, stderr } = await batch.run(['--report', place]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  expect(service.received).toEqual([]);
  expect(readFileSync(batch.file, 'utf8')).toBe(numbered(1));
});

test('a report that cannot be written hides nothing of what became of the rows', async () => {
  const folder = temporaryFolder();
  const report = path.join(folder, 'gone', 'report.csv');
  const service = await writeService(({ instructions }) => {
    rmSync(path.dirname(report), { recursive: true, force: true });
    return instructions === '1' ? { status: 422 } : {};
  });
  mkdirSync(path.dirname(report));
  const refused = await batchOf(service, numbered(2)).run(['--report', report]);
  expect(refused).toMatchObject({ code: 8, stdout: '2 rows: 1 done, 1 failed\n' });
  expect(refused.stderr).toContain(`cannot write the report ${report}`);
  mkdirSync(path.dirname(report));
  const done = await batchOf(service, '{"instructions":"2"}').run(['--report', report]);
  expect(done).toMatchObject({ code: 1, stdout: '1 row: 1 done\n' });
  expect(done.stderr).toContain(`error: cannot write the report ${report}`);
});

test('a report into a pipe goes through it, and one behind a link leaves the link', async () => {
  const { service, batch } = await newBatch(numbered(1));
  const [pipe, real, link] = ['pipe', 'real', 'link'].map((name) => `${batch.file}.${name}`) as [
    string,
    string,
    string,
  ];
  execFileSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  expect((await batch.run(['--report', pipe])).code).toBe(0);
  expect(await read).toContain('1,done,wr-1,');
  expect((await batch.run(['--report', real])).code).toBe(0);
  symlinkSync(real, link);
  const other = batchOf(service, '{"language":"fra"}');
  expect((await other.run(['--report', link])).code).toBe(0);
  expect(readFileSync(real, 'utf8')).toContain('1,done,wr-2,');
  expect(existsSync(`${real}.tmp`)).toBe(false);
});

test('an id of any length is reported', async () => {
  const id = 'x'.repeat(40_000);
  const { batch } = await newBatch(numbered(1), {
    treat: () => ({ body: JSON.stringify({ _id: id }) }),
  });
  const report = `${batch.file}.report.csv`;
  expect((await batch.run(['--report', report])).code).toBe(0);
  expect(readFileSync(report, 'utf8')).toContain(`1,done,${id},`);
});

test('records that cannot be printed are an error, once all rows are done', async () => {
  const { batch } = await newBatch(numbered(3));
  const stderr = await batch.fails(1, ['--jq', '._id | tonumber']);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    kind: 'service',
    message: expect.stringContaining('cannot print all records'),
  });
  expect((await batch.run(['--status'])).stdout).toBe('3 rows: 3 done\n');
});
