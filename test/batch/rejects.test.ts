import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf, newBatch, numbered, onRow, order } from './harness.ts';

const refusesBad = () =>
  writeService(onRow('bad', { status: 422, body: '{"message":"no such\\nasset"}' }));

/** Completes rows to orders. */
const orders = 'wr create --set asset._id=a-1 --set auto=true';

const rejectsOf = (file: string, name: string) => path.join(path.dirname(file), name);

test('invalid and failed rows of a table are written with their columns and the reason', async () => {
  const service = await refusesBad();
  const table = 'instructions;language;note\nbad;fra;"=1;""x"""\ngood;fra;\ngood;xx; y\n';
  const batch = batchOf(service, table, 'rows.csv', orders);
  const rejects = rejectsOf(batch.file, 'fix.csv');
  const flags = ['--skip-invalid', '--rejects', rejects, '--map', 'note='];
  expect((await batch.run(flags)).code).toBe(8);
  const [header, failed, invalid, ...rest] = readFileSync(rejects, 'utf8').split('\r\n');
  expect(header).toBe('_reason;instructions;language;note');
  expect(failed).toMatch(/no such asset;bad;fra;"=1;""x"""$/);
  expect(invalid).toMatch(/^"?language xx: not a language code.*;good;xx;" y"$/);
  expect(rest).toEqual(['']);
});

test('the file of rejected rows is fixed and sent; the reason is not', async () => {
  const service = await refusesBad();
  const batch = batchOf(
    service,
    'instructions,language\nbad,fra\n1,deu\n2,xx\n',
    'rows.csv',
    orders,
  );
  const rejects = rejectsOf(batch.file, 'fix.csv');
  await batch.run(['--skip-invalid', '--rejects', rejects]);
  const again = [...orders.split(' '), '--batch', rejects, '--skip-invalid'];
  const still = rejectsOf(batch.file, 'still.csv');
  const unfixed = await mar([...again, '--rejects', still], { env: service.env });
  expect(unfixed.code).toBe(8);
  expect(readFileSync(still, 'utf8')).toBe(readFileSync(rejects, 'utf8'));
  const fixed = readFileSync(rejects, 'utf8').replace('bad,', '3,').replace('xx\r', 'ita\r');
  writeFileSync(rejects, fixed);
  const sent = await mar(again, { env: service.env });
  expect(sent).toMatchObject({ code: 0, stdout: '2 rows: 2 done\n' });
  expect(service.received.slice(-2)).toEqual([
    { instructions: '3', language: 'fra', asset: { _id: 'a-1' }, auto: true },
    { instructions: '2', language: 'ita', asset: { _id: 'a-1' }, auto: true },
  ]);
  expect(sent.stderr).not.toContain('_reason');
});

test('JSON lines keep their text, also those that are not JSON', async () => {
  const service = await refusesBad();
  const rows = '{"instructions": "bad", "big":9007199254740993}\n{"auto": "x"}\nno\n{"auto":}\n';
  const batch = batchOf(service, rows, 'rows.jsonl', 'wr create --skip-checks');
  const rejects = rejectsOf(batch.file, 'fix.jsonl');
  await batch.run(['--skip-invalid', '--rejects', rejects]);
  const lines = readFileSync(rejects, 'utf8').split('\n');
  expect(lines[0]).toMatch(/^\{"_reason":".*no such asset.*","instructions": "bad", "big":9007/);
  expect(lines[1]).toBe('{"_reason":"auto: expected a boolean, found a string","auto": "x"}');
  expect(lines[2]).toBe('no');
  expect(lines[3]).toMatch(/^\{"_reason":"expected a value.*","auto":\}$/);
  expect(lines.slice(4)).toEqual(['']);
  const argv = ['wr', 'create', '--batch', rejects, '--skip-checks', '--skip-invalid', '--rejects'];
  const still = rejectsOf(batch.file, 'still.jsonl');
  await mar([...argv, still], { env: service.env });
  expect(readFileSync(still, 'utf8').split('\n').slice(0, 3)).toEqual(lines.slice(0, 3));
  expect(service.received.at(-1)).toEqual({ instructions: 'bad', big: 9007199254740992 });
});

test('without --skip-invalid, the invalid rows are written and nothing is sent', async () => {
  const { service, batch } = await newBatch(`[${order('x')},\n{"language":\n1}]`);
  const rejects = rejectsOf(batch.file, 'fix.jsonl');
  expect((await batch.run(['--rejects', rejects])).code).toBe(2);
  expect(readFileSync(rejects, 'utf8')).toBe(
    '{"_reason":"language: expected a string, found the number 1","language": 1}\n',
  );
  expect(service.received).toEqual([]);
});

test.each([
  ['rows.jsonl', '--rejects would overwrite'],
  ['link', '--rejects would overwrite'],
  ['rows.jsonl.mar-journal', '--rejects would overwrite'],
  ['folder', 'there is a folder at'],
  ['-', '--rejects needs a file name'],
  ['no/fix.csv', 'cannot write the file of --rejects'],
])('rejects in place of %s are refused before anything is sent', async (name, problem) => {
  const { service, batch } = await newBatch(numbered(1));
  linkSync(batch.file, rejectsOf(batch.file, 'link'));
  mkdirSync(rejectsOf(batch.file, 'folder'));
  const file = name === '-' ? name : rejectsOf(batch.file, name);
  const { code, stderr } = await batch.run(['--rejects', file]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  expect(service.received).toEqual([]);
});

test.each([
  ['rows.jsonl'],
  ['link'],
  ['rows.jsonl.mar-journal'],
  ['rows.jsonl.mar-journal.lock'],
  ['here/rows.jsonl.mar-journal'],
  ['dangling'],
  ['fix.csv'],
])('-O in place of %s is refused before anything is sent', async (name) => {
  const { service, batch } = await newBatch(numbered(1));
  const beside = (other: string) => rejectsOf(batch.file, other);
  linkSync(batch.file, beside('link'));
  symlinkSync('.', beside('here'));
  symlinkSync('rows.jsonl.mar-journal', beside('dangling'));
  const output = ['--json', '--overwrite', '-O', beside(name), '--rejects', beside('fix.csv')];
  const { code, stderr } = await batch.run(output);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('-O would overwrite'),
  });
  expect(service.received).toEqual([]);
  expect(readFileSync(batch.file, 'utf8')).toBe(numbered(1));
});

test.each([['status'], ['report'], ['resolve'], ['undo']])(
  'mar batch %s does not replace the files of the batch with -O',
  async (verb) => {
    const { batch } = await newBatch(numbered(1));
    await batch.run();
    const before = [batch.file, batch.journal].map((file) => readFileSync(file, 'utf8'));
    for (const file of [batch.file, batch.journal]) {
      const { code, stderr } = await batch.verb(verb, ['--json', '--overwrite', '-O', file]);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`-O would overwrite ${file}`);
    }
    const after = [batch.file, batch.journal].map((file) => readFileSync(file, 'utf8'));
    expect(after).toEqual(before);
  },
);

test('rejects that cannot be written hide nothing of what became of the rows', async () => {
  const rejects = path.join(temporaryFolder(), 'gone', 'fix.csv');
  const service = await writeService(({ instructions }) => {
    rmSync(path.dirname(rejects), { recursive: true, force: true });
    return instructions === '1' ? { status: 422 } : {};
  });
  mkdirSync(path.dirname(rejects));
  const refused = await batchOf(service, numbered(2)).run(['--rejects', rejects]);
  expect(refused).toMatchObject({ code: 8, stdout: '2 rows: 1 done, 1 failed\n' });
  expect(refused.stderr).toContain(`cannot write the rejected rows to ${rejects}`);
  mkdirSync(path.dirname(rejects));
  const done = await batchOf(service, order('2')).run(['--rejects', rejects]);
  expect(done).toMatchObject({ code: 1, stdout: '1 row: 1 done\n' });
  expect(done.stderr).toContain(`error: cannot write the rejected rows to ${rejects}`);
});

test('rejects into a pipe go through it, and those behind a link leave the link', async () => {
  const service = await refusesBad();
  const run = (rejects: string) => batchOf(service, order('bad')).run(['--rejects', rejects]);
  const [pipe, real, link] = ['pipe', 'real', 'link'].map((name) =>
    path.join(temporaryFolder(), name),
  ) as [string, string, string];
  execFileSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  expect((await run(pipe)).code).toBe(8);
  expect(await read).toContain('no such asset');
  writeFileSync(real, '');
  symlinkSync(real, link);
  expect((await run(link)).code).toBe(8);
  expect(readFileSync(real, 'utf8')).toContain('no such asset');
  expect(existsSync(`${real}.tmp`)).toBe(false);
});
