import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mar, marOk, temporaryFolder } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { isolated } from '../harness/service.ts';
import { writeService } from '../harness/writeService.ts';
import { newBatch, numbered } from '../modules/batch/harness.ts';
import { batchWords } from '../words/batch.ts';

/** The program with this input, whose journal is beside it. */
const create = (input: string, ...more: string[]) => ['wr', 'create', '--batch', input, ...more];

test('a file and a link to it are one input, with one journal beside the file', async () => {
  const { service, batch } = await newBatch(numbered(2));
  const folder = temporaryFolder();
  const link = path.join(folder, 'today.jsonl');
  symlinkSync(batch.file, link);
  const { env } = service;
  await marOk(create(link), { env });
  expect((await batch.run()).stdout).toBe('2 rows: 2 done (0 sent now, 2 earlier)\n');
  expect((await mar(['batch', 'status', link], { env })).stdout).toBe('2 rows: 2 done\n');
  expect(readdirSync(folder)).toEqual(['today.jsonl']);
  // A journal that was moved is found with --journal.
  const moved = `${link}.mar-journal`;
  renameSync(batch.journal, moved);
  const resumed = await mar(create(link, '--journal', moved), { env });
  expect(resumed.stdout).toBe('2 rows: 2 done (0 sent now, 2 earlier)\n');
  expect(service.received).toHaveLength(2);
});

test('a journal is bound to the whole base URL', async () => {
  const { service, batch } = await newBatch(numbered(2));
  expect((await batch.run()).code).toBe(0);
  const other = service.baseUrl.replace('/api', '/staging/api');
  const stderr = await batch.fails(2, ['--base-url', other]);
  expect(stderr).toMatch(new RegExp(`service: .*${service.baseUrl}.*${other}`));
  expect(service.received).toHaveLength(2);
});

test.each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0', '/dev/../dev/stdin'])(
  '--batch %s is standard input, and nothing is written into its folder',
  async (input) => {
    const service = await writeService();
    const before = readdirSync('/dev');
    const env = isolated(service.env);
    const without = await runProgram(create(input), env, numbered(2));
    expect(without.code).toBe(2);
    expect(without.stderr).toContain(batchWords.journalNeeded);
    const argv = create(input, '--journal', path.join(temporaryFolder(), 'j'));
    const { code, stdout } = await runProgram(argv, env, numbered(2));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 rows: 2 done\n' });
    expect(readdirSync('/dev')).toEqual(before);
  },
);

test('a pipe or a device in place of the input is refused at once', async () => {
  const { env } = await writeService();
  const folder = temporaryFolder();
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const input of [pipe, '/dev/null']) {
    for (const more of [[], ['--journal', path.join(folder, 'j')]]) {
      const { code, stderr } = await mar(create(input, ...more), { env });
      expect(stderr).toContain(batchWords.readAgain);
      expect(code).toBe(2);
    }
    expect(existsSync(`${input}.mar-journal`)).toBe(false);
  }
});

const longTable = (line: number) =>
  ['language,instructions', ...Array.from({ length: 40_000 }, () => 'fra,x')]
    .with(line - 1, 'fra,a\0b')
    .join('\n');

test.each([
  ['a YAML file', 'asset: a-1001\nlanguage: fra\n', 1, batchWords.noField, '"asset: a-1001"'],
  ['a PDF file', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n', 1, batchWords.noField, 'PDF'],
  ['a letter', 'Dear all,\nplease find attached\n', 1, batchWords.noField, '"Dear all"'],
  ['a foreign table', 'Kieli;Maa\nfra;FR\n', 1, batchWords.noField, '"Kieli", "Maa"'],
  ['a NUL near its start', longTable(3), 3, '', 'NUL'],
  ['a NUL in the middle of a long file', longTable(30_000), 30_000, '', 'NUL'],
])(
  '%s is refused with its line before anything is sent: %#',
  async (_, content, line, ...shown) => {
    const { service, batch } = await newBatch(content, { name: 'rows.txt' });
    const stderr = await batch.fails(2);
    for (const part of [`rows.txt, line ${line}: `, ...shown]) expect(stderr).toContain(part);
    expect(stderr.length).toBeLessThan(1000);
    expect(service.received).toEqual([]);
    expect(readdirSync(path.dirname(batch.file))).toEqual(['rows.txt']);
  },
);

test('no report holds what a terminal obeys, nor what a spreadsheet runs', async () => {
  const nasty = '\u001b]0;owned\u0007\u001b[31m\u009b31m\u0000\u007f\u202e';
  const treat: Parameters<typeof writeService>[0] = ({ instructions }) => {
    const message = instructions === '1' ? `=1+1${nasty}` : `\n=1+1${nasty}`;
    if (instructions !== '3') return { status: 422, body: JSON.stringify({ message }) };
    return { body: JSON.stringify({ _id: `=wr${nasty}` }) };
  };
  const { batch } = await newBatch(numbered(3), { treat });
  expect((await batch.run()).code).toBe(8);
  const folder = temporaryFolder();
  for (const name of ['report.csv', 'report.jsonl']) {
    const report = path.join(folder, name);
    expect((await batch.verb('report', ['-O', report])).code).toBe(0);
    const text = readFileSync(report, 'utf8');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('1+1');
  }
  const [, , , third] = readFileSync(path.join(folder, 'report.csv'), 'utf8').split('\r\n');
  expect(third).toMatch(/^3,done,'=wr␛/);
  const { results } = JSON.parse((await batch.verb('status', ['--json'])).stdout);
  expect(results[2].id).toBe(`=wr${nasty}`);
});

test('links planted under the names that a run would use are not followed', async () => {
  const { env } = await writeService();
  const folder = temporaryFolder();
  const [victim, journal, report] = ['victim', 'j', 'report.csv'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  writeFileSync(victim, 'precious\n');
  for (const name of [`${report}.tmp`, `${journal}.input.new`, `${journal}.tmp`]) {
    symlinkSync(victim, name);
  }
  await marOk(create('-', '--journal', journal), { env, stdin: numbered(2) });
  await marOk(['batch', 'report', journal, '-O', report], { env });
  expect(readFileSync(victim, 'utf8')).toBe('precious\n');
  expect(readFileSync(report, 'utf8')).toContain('2,done,wr-2,');
  expect(readFileSync(`${journal}.input`, 'utf8')).toBe(numbered(2));
  expect(readdirSync(folder).filter((name) => name.startsWith('.mar-'))).toEqual([]);
});
