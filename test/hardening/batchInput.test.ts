import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { numbered } from '../batch/harness.ts';
import { runProgram } from '../harness/program.ts';
import { writeService } from '../harness/writeService.ts';
import { newProgramBatch, programBatch } from './batchHarness.ts';

test('a file and a link to it are one input, with one journal beside the file', async () => {
  const { service, batch } = await newProgramBatch(numbered(2));
  const folder = path.join(batch.folder, 'links');
  mkdirSync(folder);
  const link = path.join(folder, 'today.jsonl');
  symlinkSync(batch.file, link);
  const byLink = ['wr', 'create', '--batch', link];
  expect((await runProgram(byLink, batch.env)).code).toBe(0);
  expect((await batch.run()).stdout).toBe('2 rows: 2 done (0 sent now, 2 earlier)\n');
  expect((await runProgram(['batch', 'status', link], batch.env)).stdout).toBe('2 rows: 2 done\n');
  expect(service.received).toHaveLength(2);
  expect(readdirSync(folder)).toEqual(['today.jsonl']);
});

test('a journal beside a link that replaced the file is not passed over', async () => {
  const { service, batch } = await newProgramBatch(numbered(2));
  const link = path.join(batch.folder, 'today.jsonl');
  symlinkSync(batch.file, link);
  await batch.run();
  renameSync(batch.journal, `${link}.mar-journal`);
  const byLink = ['wr', 'create', '--batch', link];
  const { code, stderr } = await runProgram(byLink, batch.env);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('left its journal beside it'),
  });
  const resumed = await runProgram([...byLink, '--journal', `${link}.mar-journal`], batch.env);
  expect(resumed.stdout).toBe('2 rows: 2 done (0 sent now, 2 earlier)\n');
  expect(service.received).toHaveLength(2);
});

test('a journal is bound to the whole base URL', async () => {
  const { service, batch } = await newProgramBatch(numbered(2));
  expect((await batch.run()).code).toBe(0);
  const other = service.baseUrl.replace('/api', '/staging/api');
  const { code, stderr } = await batch.run(['--base-url', other]);
  expect(code).toBe(2);
  expect(stderr).toContain(`service: was ${service.baseUrl}, now ${other}`);
  expect(service.received).toHaveLength(2);
});

test.each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0', '/dev/../dev/stdin'])(
  '--batch %s is standard input, and nothing is written into its folder',
  async (input) => {
    const { batch } = await newProgramBatch('');
    const before = readdirSync('/dev');
    const argv = ['wr', 'create', '--batch', input];
    const without = await runProgram(argv, batch.env, numbered(2));
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('Name one with --journal FILE.');
    const journal = path.join(batch.folder, 'j');
    const { code, stdout } = await runProgram(
      [...argv, '--journal', journal],
      batch.env,
      numbered(2),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 rows: 2 done\n' });
    expect(readdirSync('/dev')).toEqual(before);
  },
);

test('a pipe or a device in place of the input is refused at once', async () => {
  const { batch } = await newProgramBatch('');
  const pipe = path.join(batch.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const input of [pipe, '/dev/null']) {
    const argv = ['wr', 'create', '--batch', input];
    for (const more of [[], ['--journal', path.join(batch.folder, 'j')]]) {
      const { code, stderr } = await runProgram([...argv, ...more], batch.env);
      expect(code).toBe(2);
      expect(stderr).toContain(`${input} is not a regular file, and a batch reads its rows twice`);
    }
    expect(existsSync(`${input}.mar-journal`)).toBe(false);
  }
});

test.each([
  ['a YAML file', 'asset: a-1001\nlanguage: fra\n', '"asset: a-1001"'],
  ['a PDF file', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 'PDF'],
  ['a letter', 'Dear all,\nplease find attached\n', '"Dear all"'],
  ['a table without one field', 'Sprache;Land\nfra;FR\n', '"Sprache" and 1 more'],
])('%s has no known column, and is refused', async (_, content, shown) => {
  const { service, batch } = await newProgramBatch(content, { name: 'rows.txt' });
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain('line 1: no known field in the first line: ');
  expect(stderr).toContain(shown);
  expect(service.received).toEqual([]);
  expect(readdirSync(batch.folder)).toEqual(['rows.txt']);
});

const deep = Array.from({ length: 5000 }, () => 'a').join('.');

test.each([
  ['language,tags[4294967295]\nfra,x\n', '[4294967295] is too large'],
  ['language,x[99999999]\nfra,x\n', '[99999999] is too large'],
  ['language,x[0][100000]\nfra,x\n', 'the maximum index is 99999'],
  [`language,${deep}\nfra,x\n`, 'the maximum is 100 levels'],
])('a column beyond all limits is refused: %#', async (content, message) => {
  const { service, batch } = await newProgramBatch(content, { name: 'rows.csv' });
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain('rows.csv, line 1: column 2: ');
  expect(stderr).toContain(message);
  expect(stderr.length).toBeLessThan(1000);
  expect(service.received).toEqual([]);
});

test.each([
  [['wr', 'create', '--skip-checks', '--dry-run', '--set', 'tags[4294967295]=x']],
  [['wr', 'create', '--skip-checks', '--dry-run', '--set', `${deep}=x`]],
  [['wr', 'create', '--skip-checks', '--dry-run', '--unset', deep]],
  [['file', 'list', '--columns', 'x[99999999]']],
  [['file', 'list', '--columns', deep]],
])('the same limits hold on the command line: %#', async (argv) => {
  const {
    batch: { env },
  } = await newProgramBatch('');
  const { code, stderr } = await runProgram(argv, env);
  expect(code).toBe(2);
  expect(stderr).toMatch(/is too large|the maximum is 100 levels/);
});

test('the last column within the limits takes no time', async () => {
  const rows = `language,x[99999]\n${'fra,x\n'.repeat(20)}`;
  const { service, batch } = await newProgramBatch(rows, { name: 'rows.csv' });
  expect((await batch.run(['--skip-checks'])).code).toBe(0);
  expect(service.received[0]).toEqual({ language: 'fra', x: ['x'] });
});

test.each([
  ['in the middle of a long file', 30_000],
  ['near its start', 3],
])('a NUL %s is refused with its line', async (_, line) => {
  const lines = Array.from({ length: 40_000 }, () => 'fra,x');
  lines[line - 2] = 'fra,a\0b';
  const { service, batch } = await newProgramBatch(`language,instructions\n${lines.join('\n')}\n`, {
    name: 'rows.csv',
  });
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain(`rows.csv, line ${line}: `);
  expect(stderr).toContain('NUL');
  expect(service.received).toEqual([]);
});

test('no report holds what a terminal obeys, nor what a spreadsheet runs', async () => {
  const nasty = '\u001b]0;owned\u0007\u001b[31m\u009b31m\u0000\u007f\u202e';
  const service = await writeService(({ instructions }) => {
    const message = instructions === '1' ? `=1+1${nasty}` : `\n=1+1${nasty}`;
    if (instructions !== '3') return { status: 422, body: JSON.stringify({ message }) };
    return { body: JSON.stringify({ _id: `=wr${nasty}` }) };
  });
  const batch = programBatch(service, numbered(3));
  expect((await batch.run()).code).toBe(8);
  for (const name of ['report.csv', 'report.jsonl']) {
    const report = path.join(batch.folder, name);
    expect((await batch.verb('report', ['-O', report])).code).toBe(0);
    const text = readFileSync(report, 'utf8');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('1+1');
  }
  const [, , , third] = readFileSync(path.join(batch.folder, 'report.csv'), 'utf8').split('\r\n');
  expect(third).toMatch(/^3,done,'=wr␛/);
  const { results } = JSON.parse((await batch.verb('status', ['--json'])).stdout);
  expect(results[2].id).toBe(`=wr${nasty}`);
});

test('links planted under the names that a run would use are not followed', async () => {
  const { batch } = await newProgramBatch('');
  const victim = path.join(batch.folder, 'victim');
  writeFileSync(victim, 'precious\n');
  const journal = path.join(batch.folder, 'j');
  const report = path.join(batch.folder, 'report.csv');
  for (const name of [`${report}.tmp`, `${journal}.input.new`, `${journal}.tmp`]) {
    symlinkSync(victim, name);
  }
  const argv = ['wr', 'create', '--batch', '-', '--journal', journal];
  expect((await runProgram(argv, batch.env, numbered(2))).code).toBe(0);
  const reported = await runProgram(['batch', 'report', journal, '-O', report], batch.env);
  expect(reported.code).toBe(0);
  expect(readFileSync(victim, 'utf8')).toBe('precious\n');
  expect(readFileSync(report, 'utf8')).toContain('2,done,wr-2,');
  expect(readFileSync(`${journal}.input`, 'utf8')).toBe(numbered(2));
  expect(readdirSync(batch.folder).filter((name) => name.startsWith('.mar-'))).toEqual([]);
});
