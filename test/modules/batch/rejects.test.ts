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
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { factsIn, failure } from '../../harness/marWith.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import { batchOf, newBatch, numbered, onRow, order } from './harness.ts';

const refusesBad = () =>
  writeService(onRow('bad', { status: 422, body: '{"message":"no such\\nasset"}' }));

/** Completes rows to orders. */
const orders = 'wr create --set asset._id=a-1 --set auto=true';

const beside = ({ file }: { file: string }, name: string) => path.join(path.dirname(file), name);
const linesOf = (file: string, end = '\n') => readFileSync(file, 'utf8').split(end);

test('invalid and failed rows of a table are written with their columns and the reason', async () => {
  const service = await refusesBad();
  const table = 'instructions;language;note\nbad;fra;"=1;""x"""\ngood;fra;\ngood;xx; y\n';
  const batch = batchOf(service, table, 'rows.csv', orders);
  const rejects = beside(batch, 'fix.csv');
  await batch.fails(8, ['--skip-invalid', '--rejects', rejects, '--map', 'note=']);
  expect(linesOf(rejects, '\r\n')).toEqual([
    '_reason;instructions;language;note',
    expect.stringMatching(/no such asset;bad;fra;"=1;""x"""$/),
    expect.stringMatching(/^"?language xx: .*;good;xx;" y"$/),
    '',
  ]);
});

test('the file of rejected rows is fixed and sent; the reason is not', async () => {
  const service = await refusesBad();
  const rows = 'instructions,language\nbad,fra\n1,deu\n2,xx\n';
  const batch = batchOf(service, rows, 'rows.csv', orders);
  const rejects = beside(batch, 'fix.csv');
  await batch.run(['--skip-invalid', '--rejects', rejects]);
  const again = [...orders.split(' '), '--batch', rejects, '--skip-invalid'];
  const still = beside(batch, 'still.csv');
  const unfixed = await mar([...again, '--rejects', still], service);
  expect(unfixed.code).toBe(8);
  expect(readFileSync(still, 'utf8')).toBe(readFileSync(rejects, 'utf8'));
  const fixed = readFileSync(rejects, 'utf8').replace('bad,', '3,').replace('xx\r', 'ita\r');
  writeFileSync(rejects, fixed);
  const sent = await mar(again, service);
  expect(sent).toMatchObject({ code: 0, stdout: '2 rows: 2 done\n' });
  const whole = { asset: { _id: 'a-1' }, auto: true };
  expect(service.received.slice(-2)).toEqual([
    { instructions: '3', language: 'fra', ...whole },
    { instructions: '2', language: 'ita', ...whole },
  ]);
  expect(sent.stderr).not.toContain('_reason');
});

test('a workbook of rejected rows keeps their texts, and is fixed and sent', async () => {
  const service = await refusesBad();
  const table = 'instructions,language,tags\nbad,fra,007\n1,deu,\n';
  const batch = batchOf(service, table, 'rows.csv', orders);
  const rejects = beside(batch, 'rest.xlsx');
  await batch.run(['--rejects', rejects]);
  const { sheets } = await readXlsx(readFileSync(rejects));
  expect(sheets[0]?.rows).toEqual([
    ['_reason', 'instructions', 'language', 'tags'],
    [expect.stringContaining('no such asset'), 'bad', 'fra', '007'],
  ]);
  const [header = [], [reason, , ...others] = []] = sheets[0]?.rows ?? [];
  const fixed = { name: 'Rejects', rows: [header, [reason ?? '', 'good', ...others]] };
  writeFileSync(rejects, Buffer.from(await writeXlsx({ sheets: [fixed] })));
  const sent = await mar([...orders.split(' '), '--batch', rejects], service);
  expect(sent).toMatchObject({ code: 0, stdout: '1 row: 1 done\n' });
  expect(service.received.at(-1)).toMatchObject({ instructions: 'good', tags: ['007'] });
});

test('a workbook of rejected rows needs a table, and nothing is sent without one', async () => {
  const { service, batch } = await newBatch(numbered(2));
  await batch.fails(2, ['--rejects', beside(batch, 'rest.xlsx')]);
  expect(service.received).toEqual([]);
});

test.each([
  ['rows.csv', 'asset,language,auto\na-1,fra,true\n', true],
  ['rows.jsonl', order('1'), false],
])('how to give %s back with its ids is said: %s', async (name, rows, isTable) => {
  const { batch } = await newBatch(rows, { name });
  const { stderr } = await batch.run();
  expect(/mar batch report .*-O done\.xlsx/.test(stderr)).toBe(isTable);
});

test('JSON lines keep their text, also those that are not JSON', async () => {
  const service = await refusesBad();
  const rows = '{"instructions": "bad", "big":9007199254740993}\n{"auto": "x"}\nno\n{"auto":}\n';
  const batch = batchOf(service, rows, 'rows.jsonl', 'wr create --skip-checks');
  const [rejects, still] = [beside(batch, 'fix.jsonl'), beside(batch, 'still.jsonl')];
  await batch.run(['--skip-invalid', '--rejects', rejects]);
  const lines = linesOf(rejects);
  expect(lines).toEqual([
    expect.stringMatching(/^\{"_reason":".*no such asset.*","instructions": "bad", "big":9007/),
    expect.stringMatching(/^\{"_reason":"auto: .*","auto": "x"\}$/),
    'no',
    expect.stringMatching(/^\{"_reason":".*","auto":\}$/),
    '',
  ]);
  const argv = ['wr', 'create', '--batch', rejects, '--skip-checks', '--skip-invalid', '--rejects'];
  await mar([...argv, still], service);
  expect(linesOf(still).slice(0, 3)).toEqual(lines.slice(0, 3));
  expect(service.received.at(-1)).toEqual({ instructions: 'bad', big: 9007199254740992 });
});

test('without --skip-invalid, the invalid rows are written and nothing is sent', async () => {
  const { service, batch } = await newBatch(`[${order('x')},\n{"language":\n1}]`);
  const rejects = beside(batch, 'fix.jsonl');
  await batch.fails(2, ['--rejects', rejects]);
  expect(readFileSync(rejects, 'utf8')).toMatch(/^{"_reason":"language: .*","language": 1}\n$/);
  expect(service.received).toEqual([]);
});

test.each([
  ['rows.jsonl', batchWords.wouldOverwrite('--rejects')],
  ['link', batchWords.wouldOverwrite('--rejects')],
  ['rows.jsonl.mar-journal', batchWords.wouldOverwrite('--rejects')],
  ['folder', 'a folder at'],
  ['-', '--rejects needs'],
  ['no/fix.csv', 'no/fix.csv'],
])('rejects in place of %s are refused before anything is sent', async (name, problem) => {
  const { service, batch } = await newBatch(numbered(1));
  linkSync(batch.file, beside(batch, 'link'));
  mkdirSync(beside(batch, 'folder'));
  const file = name === '-' ? name : beside(batch, name);
  expect(await batch.fails(2, ['--rejects', file])).toContain(problem);
  expect(service.received).toEqual([]);
});

test.each([
  'rows.jsonl',
  'link',
  'rows.jsonl.mar-journal',
  'rows.jsonl.mar-journal.lock',
  'here/rows.jsonl.mar-journal',
  'dangling',
  'fix.csv',
])('-O in place of %s is refused before anything is sent', async (name) => {
  const { service, batch } = await newBatch(numbered(1));
  linkSync(batch.file, beside(batch, 'link'));
  symlinkSync('.', beside(batch, 'here'));
  symlinkSync('rows.jsonl.mar-journal', beside(batch, 'dangling'));
  const output = ['--json', '--overwrite', '-O', beside(batch, name)];
  const stderr = await batch.fails(2, [...output, '--rejects', beside(batch, 'fix.csv')]);
  expect(stderr).toContain(batchWords.wouldOverwrite('-O'));
  expect(service.received).toEqual([]);
  expect(readFileSync(batch.file, 'utf8')).toBe(numbered(1));
});

test.each(['status', 'report', 'resolve', 'undo'])(
  'mar batch %s does not replace the files of the batch with -O',
  async (verb) => {
    const { batch } = await newBatch(numbered(1));
    await batch.run();
    for (const file of [batch.file, batch.journal]) {
      const before = readFileSync(file, 'utf8');
      const stderr = await failure(2, batch.verb(verb, ['--json', '--overwrite', '-O', file]));
      expect(stderr).toContain(`${batchWords.wouldOverwrite('-O')} ${file}`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    }
  },
);

test('rejects that cannot be written hide nothing of what became of the rows', async () => {
  const rejects = path.join(temporaryFolder(), 'gone', 'fix.csv');
  const service = await writeService(({ instructions }) => {
    rmSync(path.dirname(rejects), { recursive: true, force: true });
    return instructions === '1' ? { status: 422 } : {};
  });
  const run = (rows: string, code: number, summary: string) => {
    mkdirSync(path.dirname(rejects));
    return batchOf(service, rows).ends(code, summary, ['--rejects', rejects]);
  };
  expect(await run(numbered(2), 8, '2 rows: 1 done, 1 failed')).toContain(rejects);
  expect(await run(order('2'), 1, '1 row: 1 done')).toMatch(/^error: .*fix\.csv/m);
});

test('rejects into a pipe go through it, and those behind a link leave the link', async () => {
  const service = await refusesBad();
  const run = (rejects: string) => batchOf(service, order('bad')).fails(8, ['--rejects', rejects]);
  const pipe = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  await run(pipe);
  expect(await read).toContain('no such asset');
  const real = temporaryFile('', 'real');
  symlinkSync(real, `${real}.link`);
  await run(`${real}.link`);
  expect(readFileSync(real, 'utf8')).toContain('no such asset');
  expect(existsSync(`${real}.tmp`)).toBe(false);
});

test.runIf(existsSync('/dev/full'))('a full disk is no failure of the service', async () => {
  const batch = batchOf(await refusesBad(), '{"instructions":"bad"}\n', 'rows.jsonl', orders);
  const { stderr } = await batch.run(['--rejects', '/dev/full', '--json']);
  expect(factsIn(stderr)).toMatchObject({ kind: 'local', cause: 'ENOSPC' });
});
