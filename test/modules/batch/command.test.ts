import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import {
  batchOf,
  jsonLines,
  newBatch,
  numbered,
  numbersOf,
  onRequest,
  onRow,
  order,
} from './harness.ts';

test('every bad row is reported with its line before anything is sent', async () => {
  const content = `{"language":1}\n\n${order('x')}{"auto":"yes"}\nnot json\n`;
  const { service, batch } = await newBatch(content);
  const { code, stdout, stderr } = await batch.run();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replaceAll(batch.file, 'rows.jsonl')).toBe(
    [
      'error: 3 of 4 rows in rows.jsonl are invalid',
      '  row 1 (line 1): language: expected a string, found the number 1',
      '  row 3 (line 4): auto: expected a boolean, found a string',
      '  row 4 (line 5): expected a value, found "n", at column 1, near "not json"',
      '  Nothing was sent. Fix these rows.',
      '  To send the rest, use --skip-invalid.',
      '',
    ].join('\n'),
  );
  expect(service.received).toEqual([]);
  expect(existsSync(batch.journal)).toBe(false);
});

test('with --json, invalid rows are an array in the error', async () => {
  const service = await writeService();
  const french = order('x').replace('"fra"', '"fr"');
  const content = `{"language":1,"auto":"yes"}\n\n${french}not json\n`;
  for (const mode of [['--json'], ['--jsonl'], ['--jq', '.'], ['-o', 'json']]) {
    const batch = batchOf(service, content);
    const stderr = await batch.fails(2, mode);
    const first = { row: 1, line: 1 };
    expect(JSON.parse(stderr).error).toEqual({
      ...{ kind: 'usage', exitCode: 2, outcome: 'not-sent', flag: '--batch', value: batch.file },
      message: expect.stringContaining('3 of 3 rows'),
      hint: expect.stringContaining('--skip-invalid'),
      rows: [
        { ...first, field: 'auto', message: expect.stringContaining('a boolean') },
        { ...first, field: 'language', message: expect.stringContaining('a string') },
        {
          ...{ row: 2, line: 3, field: 'language', value: 'fr', suggestion: 'fra' },
          ...{ check: 'language', message: expect.stringContaining('fra') },
        },
        { row: 3, line: 4, message: expect.stringContaining('at column 1, near "not json"') },
      ],
      rowCount: 3,
    });
  }
});

test('a row that is refused for an assumption names the line that ends it', async () => {
  const { batch } = await newBatch(order('x').replace('"fra"', '"ptb"').repeat(2) + order('y'));
  for (const [code, ...flags] of [[2], [8, '--skip-invalid']] as const) {
    const lines = (await batch.fails(code, flags)).match(/mar config set .*/g);
    expect(lines).toEqual(['mar config set language.ptb=ok']);
  }
});

test('with --json, at most 100 problems are listed, and all rows are counted', async () => {
  const service = await writeService();
  const { stderr } = await batchOf(service, '{"language":1}\n'.repeat(250)).run(['--json']);
  const { rows, rowCount } = JSON.parse(stderr).error;
  expect({ listed: rows.length, rowCount }).toEqual({ listed: 100, rowCount: 250 });
});

test('with --json, rows that were skipped or failed are in the error, and a date that was assumed is a warning', async () => {
  const table =
    'asset,uses.items,language,instructions,due.date\na-1,online,fra,x,+14d\na-1,online,deu,bad,\na-1,online,xx,y,\n';
  const { batch } = await newBatch(table, {
    treat: onRow('bad', { status: 422, body: '{"message":"no"}' }),
    name: 'rows.csv',
  });
  const { code, stdout, stderr } = await batch.run(['--json', '--skip-invalid']);
  expect(code).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 3, done: 1, failed: 1, invalid: 1 });
  const [date, { error }] = jsonLines(stderr);
  expect(date.warning.code).toBe('date');
  expect(error).toMatchObject({ rowCount: 2 });
  expect(error.rows).toEqual([
    {
      ...{ row: 3, line: 4, field: 'language', value: 'xx', check: 'language' },
      message: expect.stringContaining('language xx'),
    },
    { row: 2, line: 3, message: expect.stringContaining('no') },
  ]);
});

test('--set is for every row', async () => {
  const { service, batch } = await newBatch('language,tags\nfra,x\ndeu,\n', { name: 'rows.csv' });
  const set = ['--set', 'asset=a-1001', '--set-string', 'instructions=7', '--unset', 'tags'];
  await batch.fails(0, [...set, '--set', 'autosubs=true', '--concurrency', '1']);
  const both = { asset: 'a-1001', instructions: '7', autosubs: true };
  expect(service.received).toEqual([
    { language: 'fra', ...both },
    { language: 'deu', ...both },
  ]);
});

test('a date in a table is the time that it means in its row', async () => {
  const table = 'due.date;due.tz\n2026-12-01T18:00;Europe/Paris\n2026-12-01T18:00;Asia/Tokyo\n';
  const { service, batch } = await newBatch(table, { name: 'rows.csv' });
  const stderr = await batch.fails(0, ['--concurrency', '1', '--skip-checks']);
  expect(service.received).toEqual([
    { due: { tz: 'Europe/Paris', date: Date.parse('2026-12-01T17:00Z') } },
    { due: { tz: 'Asia/Tokyo', date: Date.parse('2026-12-01T09:00Z') } },
  ]);
  // One note is for all dates.
  expect(stderr).toMatch(
    /^Field due\.date .*\n.*time\.unit.*\n.*\n.*northlight.*\n.*batch report.*\n$/,
  );
});

test('an undocumented column is sent as a string with --skip-checks, with a warning', async () => {
  const rows = 'asset,language,auto,x9\na-1,fra,yes,7\n';
  const { service, batch } = await newBatch(rows, { name: 'rows.csv' });
  const stderr = await batch.fails(0, ['--skip-checks', '--yes']);
  expect(service.received).toMatchObject([{ language: 'fra', x9: '7' }]);
  expect(stderr).toMatch(/^warning: .*"x9"/m);
});

test('--dry-run checks all rows, shows the first request, and sends nothing', async () => {
  const { service, batch } = await newBatch(numbered(3));
  const { code, stdout, stderr } = await batch.run(['--dry-run']);
  expect(code).toBe(0);
  expect(stdout).toContain(`POST ${service.baseUrl}/workrequests`);
  expect(stderr).toContain(batchWords.wouldSend('3 rows'));
  const array = JSON.parse((await batch.run(['--dry-run', '--json'])).stdout);
  expect(array.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3]);
  expect(array[1].request).toMatchObject({ method: 'POST', body: { instructions: '2' } });
  const all = jsonLines((await batch.run(['--dry-run', '--jsonl'])).stdout);
  expect(all.map(({ request }) => request.body.instructions)).toEqual(['1', '2', '3']);
  expect(service.received).toEqual([]);
  expect(existsSync(batch.journal)).toBe(false);
});

test('big integers go out as they stand', async () => {
  const service = await recordingServer('{"_id":"wr-1"}');
  const batch = batchOf(service, '{"big":9007199254740993}\n');
  expect((await batch.run(['--skip-checks'])).code).toBe(0);
  expect(service.requests[0]).toContain('{"big":9007199254740993}');
});

test('--jsonl prints each record with its row, and only warnings beside it', async () => {
  const { batch } = await newBatch(numbered(2));
  const { stdout, stderr } = await batch.run(['--jsonl', '--concurrency', '1']);
  expect(jsonLines(stdout)).toEqual([
    { row: 1, record: { ...JSON.parse(order('1')), _id: 'wr-1' } },
    { row: 2, record: { ...JSON.parse(order('2')), _id: 'wr-2' } },
  ]);
  expect(jsonLines(stderr)).toMatchObject([{ warning: { code: 'repeated-order' } }]);
});

test('--jq runs on each created record, with its row; --jq-slurp on all of them', async () => {
  const service = await writeService();
  const run = (...flags: string[]) =>
    batchOf(service, numbered(3)).run([...flags, '--concurrency', '1']);
  expect((await run('--jq', '._id')).stdout).toBe('wr-1\nwr-2\nwr-3\n');
  expect((await run('--jq', '"\\($row) \\(.instructions)"')).stdout).toBe('1 1\n2 2\n3 3\n');
  const slurped = await run('--jq-slurp', 'map(.row, .record.instructions)');
  expect(slurped.stdout).toBe('[1,"1",2,"2",3,"3"]\n');
  const failing = await run('--jq', 'if $row == 2 then error("two") else $row end');
  expect(failing.stdout).toBe('1\n');
  expect(failing.stderr).toMatch(/--jq .* wr-/);
});

test('--jq hides secrets in a batch, too', async () => {
  const { batch } = await newBatch('{"_id":"o-1","password":"x"}\n', { command: 'offline put' });
  expect((await batch.run(['--jq', '[$row, .password]'])).stdout).toBe('[1,"[redacted]"]\n');
});

test('--json is the summary, for programs', async () => {
  const { batch } = await newBatch(numbered(2), { treat: onRequest(2, { status: 400 }) });
  const { code, stdout, stderr } = await batch.run(['--json', '--concurrency', '1']);
  expect(code).toBe(8);
  expect(JSON.parse(stdout)).toEqual({
    ...{
      rows: 2,
      done: 1,
      sentNow: 1,
      unchanged: 0,
      changed: 0,
      failed: 1,
      conflict: 0,
      unknown: 0,
      gone: 0,
    },
    ...{ invalid: 0, sending: 0, pending: 0, journal: batch.journal },
    ...{ unknownRows: [], failedRows: [2], conflictRows: [], invalidRows: [] },
  });
  expect(jsonLines(stderr).at(-1)).toMatchObject({
    error: { kind: 'batch', exitCode: 8, message: expect.stringContaining('1 of 2 rows') },
  });
});

test('standard input needs a journal, and is gone on with like a file', async () => {
  const service = await writeService(onRequest(2, 'reset'));
  const journal = path.join(temporaryFolder(), 'journal');
  const run = (rows: number, ...flags: string[]) =>
    mar(['wr', 'create', '--batch', '-', ...flags], { ...service, stdin: numbered(rows) });
  expect(await failure(2, run(3))).toContain(batchWords.journalNeeded);
  expect((await run(3, '--journal', journal, '--concurrency', '1')).code).toBe(8);
  const longer = await run(4, '--journal', journal);
  expect(longer.stderr).toContain('2 done, 1 row new or corrected: sending 1');
  // The input is kept, so deciding a row does not need it again.
  const decided = await mar(['batch', 'resolve', journal, '2=retry']);
  expect(decided).toMatchObject({ code: 0, stdout: '4 rows: 3 done, 1 pending\n' });
  expect(decided.stderr).toContain('"instructions": "2"');
  const resumed = await run(4, '--journal', journal);
  expect(resumed).toMatchObject({ code: 0, stdout: '4 rows: 4 done (1 sent now, 3 earlier)\n' });
  expect(numbersOf(service)).toEqual([1, 2, 3, 4, 2]);
});

test('of standard input only what a journal is about is kept, as long as that journal is', async () => {
  const service = await writeService(onRequest(1, 'reset'));
  const folder = temporaryFolder();
  const argv = ['wr', 'create', '--batch', '-', '--journal', path.join(folder, 'j')];
  const run = (stdin: string, ...more: string[]) =>
    mar([...argv, ...more], { env: service.env, stdin });
  expect((await run(numbered(1), '--dry-run')).code).toBe(0);
  expect((await run('{"language":1}')).code).toBe(2);
  expect(readdirSync(folder)).toEqual([]);
  expect((await run(numbered(1))).code).toBe(8);
  expect((await run('{"instructions":"other"}')).code).toBe(2);
  expect(readdirSync(folder)).toEqual(['j', 'j.input']);
  expect((await run(numbered(2), '--again=all', '--yes')).code).toBe(0);
  expect(readdirSync(folder)).toEqual(['j', 'j.1', 'j.1.input', 'j.input']);
  const decided = await mar(['batch', 'resolve', path.join(folder, 'j.1'), '1=created']);
  expect(decided.stdout).toBe('1 row: 1 done\n');
  expect(decided.stderr).toContain('"instructions": "1"');
});

test('rows that never left are a failure', async () => {
  const { batch } = await newBatch(numbered(2));
  const nobody = await batch.run([], { env: { MAR_BASE_URL: 'http://127.0.0.1:1/api' } });
  expect(nobody).toMatchObject({ code: 7, stdout: '2 rows: 0 done, 2 pending\n' });
  expect(nobody.stderr).toContain('2 of 2 rows');
  expect(nobody.stderr).toContain('Nothing was sent.');
});

test('a decision without an id is reported as such, and can be changed', async () => {
  const { service, batch } = await newBatch(numbered(4), {
    treat: (_, count) => (count < 4 ? 'reset' : {}),
  });
  await batch.run(['--concurrency', '1']);
  const first = await batch.verb('resolve', ['1-3=created']);
  expect(first).toMatchObject({ code: 0, stdout: '4 rows: 4 done\n' });
  const report = async () => jsonLines((await batch.verb('report', ['--jsonl'])).stdout);
  expect((await report())[0]).toEqual({ row: 1, state: 'done', message: batchWords.youSaid });
  expect((await batch.verb('resolve', ['1=created:wr-9'])).code).toBe(0);
  expect((await report())[0]).toMatchObject({ id: 'wr-9' });
  expect(await failure(2, batch.verb('resolve', ['2-3=created:wr-9']))).toContain('2-3=created');
  expect((await batch.verb('resolve', ['2,3=retry'])).stdout).toBe('4 rows: 2 done, 2 pending\n');
  await batch.ends(0, '4 rows: 4 done (2 sent now, 2 earlier)');
  expect(numbersOf(service)).toEqual([1, 2, 3, 4, 2, 3]);
});

test('an unknown row is decided by a person, who is shown what was sent', async () => {
  const { service, batch } = await newBatch(numbered(3), {
    treat: (_, count) => (count < 3 ? 'reset' : {}),
  });
  await batch.run(['--concurrency', '1']);
  const shown = await batch.verb('resolve');
  expect(shown).toMatchObject({ code: 0, stdout: '3 rows: 1 done, 2 unknown\n' });
  expect(shown.stderr).toMatch(
    /"instructions": "1"[\s\S]*"instructions": "2"[\s\S]* 1=created:ID\n[\s\S]* 1=retry\n/,
  );
  const { code, stdout, stderr } = await batch.verb('resolve', ['1=created:wr-9', '2=retry']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '3 rows: 2 done, 1 pending\n' });
  expect(stderr).toContain('"instructions": "1"');
  expect(stderr).toContain(batchWords.resumeWith('1 row', 'mar wr create', batch.file));
  expect(numbersOf(service)).toEqual([1, 2, 3]);
  await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier)');
  expect(numbersOf(service)).toEqual([1, 2, 3, 2]);
  const report = jsonLines((await batch.verb('report', ['--jsonl'])).stdout);
  expect(report.map(({ id }) => id)).toEqual(['wr-9', 'wr-4', 'wr-3']);
});

test('the report marks a row that was sent again, until somebody finds only one', async () => {
  const { batch } = await newBatch(numbered(2), { treat: onRequest(1, 'reset') });
  await batch.run(['--concurrency', '1']);
  await batch.verb('resolve', ['1=retry']);
  const messages = async () => {
    const report = jsonLines((await batch.verb('report', ['--jsonl'])).stdout);
    return report.map(({ message }) => message);
  };
  expect(await messages()).toEqual([undefined, undefined]);
  await batch.ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
  expect(await messages()).toEqual([batchWords.sentAgain, undefined]);
  // Rows may move in the file.
  writeFileSync(batch.file, order('0') + numbered(2));
  await batch.ends(0, '3 rows: 3 done (1 sent now, 2 earlier)');
  expect(await messages()).toEqual([undefined, batchWords.sentAgain, undefined]);
  const { stderr } = await batch.verb('status');
  expect(stderr).toContain(batchWords.twice('row 2'));
  expect(stderr).toContain(`mar batch resolve ${batch.file} 2=created:ID`);
  expect(await failure(2, batch.verb('resolve', ['2=retry']))).toContain('row 2 is known: done');
  const decided = await batch.verb('resolve', ['2=created:wr-3']);
  expect(decided.code, decided.stderr).toBe(0);
  expect(decided.stderr).not.toContain(batchWords.twice('row 2'));
  expect((await messages())[1]).not.toContain(batchWords.sentAgain);
});

test.each([
  [['2=retry'], /row 2 .*: done/],
  [['0=retry'], /row 0 .* 2 rows/],
  [['9=retry'], /row 9 .* 2 rows/],
  [['1=lost'], /"1=lost"/],
  [['1=created', '1=retry'], /duplicate.* row 1/],
  [['1=created:wr-9', '2=created:wr-9'], /rows 1 and 2 .* wr-9/],
  [['1=created:wr-2'], /rows 2 and 1 .* wr-2/],
  [['1=retry', '2=retry'], /row 2 .*: done/],
])('only what is unknown can be decided, and once: %s', async (decisions, facts) => {
  const { service, batch } = await newBatch(numbered(2), { treat: onRequest(1, 'reset') });
  await batch.run(['--concurrency', '1']);
  expect(await failure(2, batch.verb('resolve', decisions))).toMatch(facts);
  expect((await batch.verb('status')).stdout).toBe('2 rows: 1 done, 1 unknown\n');
  expect(service.received).toHaveLength(2);
});

test('a row is decided without its input, and is shown as it is in a table', async () => {
  const rows = 'asset,auto,language,due.date\na-1,yes,fra,+14d\na-1,yes,deu,+14d\n';
  const { batch } = await newBatch(rows, { treat: () => 'reset', name: 'rows.csv' });
  await batch.run();
  const first = await batch.verb('resolve', ['1=created']);
  expect(first.stderr).toMatch(/language: fra\n\s*due\.date: \+14d\n/);
  rmSync(batch.file);
  const second = await mar(['batch', 'resolve', batch.journal, '2=created']);
  expect(second.stdout).toBe('2 rows: 2 done\n');
  expect(second.stderr).toContain(batchWords.rowGone('Row 2', batch.file));
});

test.each([
  ['translation submit', '{"workRequest":"wr-1"}', 'POST /api/translations'],
  ['file upload-meta', '{"name":"a.mov"}', 'POST /api/files'],
  ['event put', '{"_id":"e-1"}', 'PUT /api/events'],
  ['preview put', '{"_id":"p-1"}', 'PUT /api/previews'],
  ['offline put', '{"_id":"o 1"}', 'PUT /api/offlines/o%201'],
])('mar %s takes a batch', async (command, row, request) => {
  const { service, batch } = await newBatch(`${row}\n`, { command });
  await batch.ends(0, '1 row: 1 done');
  expect(service.paths).toEqual([request]);
});

test('where --status is a field, it stays one', async () => {
  const service = await writeService();
  const { file } = batchOf(service, '{"workRequest":"wr-1"}\n');
  const submit = (...flags: string[]) => mar(['translation', 'submit', ...flags], service);
  for (const [flags, message] of [
    [['--batch', file, '--status', 'submitted'], '--batch and --status'],
    [['--set', 'workRequest=wr-1', '--status'], 'value for --status'],
  ] as const) {
    expect((await submit(...flags)).stderr).toContain(message);
  }
  expect((await submit('--set', 'workRequest=wr-1', '--status', 'submitted')).code).toBe(0);
  expect(service.received.at(-1)).toMatchObject({ status: 'submitted' });
});

test('a write by id takes the id from its row, and refuses a row without', async () => {
  const rows = '{"path":"x"}\n{"_id":".."}\n';
  const { service, batch } = await newBatch(rows, { command: 'offline put' });
  const stderr = await batch.fails(2);
  expect(stderr).toMatch(/row 1 \(line 1\): _id: [\s\S]*row 2 \(line 2\): .*"\.\."/);
  const both = await batch.run(['o-1']);
  expect(both.stderr).toContain('"o-1" and --batch');
  const neither = await mar(['offline', 'put', '-f', batch.file], service);
  expect(neither.stderr).toContain('argument <id>');
  expect(service.received).toEqual([]);
});

test.each([
  [['--batch', 'x', '-f', 'y'], /--batch and --file/],
  [['--batch', 'x', '--concurrency', '0'], /--concurrency .*1 to 64/],
  [['--batch', 'x', '--shard', '5/4'], /--shard .*parts/],
  [['--batch', 'x', '--again=some'], /--again.*failed, all/s],
  [['--batch', 'x', '--again=failed', '--again'], /--again .*two values/],
  [['--again=failed'], /--again=failed needs --batch/],
  [['--batch', 'x', '--check', '--dry-run'], /--check and --dry-run/],
  [['--batch', 'x', '--template'], /--batch and --template/],
  [['--set', 'a=1', '--journal', 'x'], /--journal needs --batch/],
])('flags that make no sense are refused: %j', async (flags, facts) => {
  expect(await failure(2, mar(['wr', 'create', ...flags]))).toMatch(facts);
});

test.each(['uses.items=online', 'language=42'])(
  'a value of --set %s that no row can have is refused with advice, and one promise',
  async (value) => {
    const { batch } = await newBatch(numbered(1));
    const stderr = await batch.fails(2, ['--set', value]);
    expect(stderr).toMatch(/To (?:replace|set)/);
    expect(stderr.match(/Nothing was sent/g)).toHaveLength(1);
  },
);

test.each([
  ['event put', ['--type', 'fd']],
  ['translation submit', ['--work-request', 'wr-1']],
  ['file upload-meta', ['media']],
])(
  'the hint of %s with what --batch excludes names no field of another record',
  async (command, given) => {
    const message = await failure(2, mar([...command.split(' '), '--batch', 'x', ...given]));
    expect(message).toContain('--batch');
    expect(message).not.toMatch(/uses|_id/);
  },
);

test('what is no file, or is not there, is reported', async () => {
  const service = await writeService();
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'rows'));
  writeFileSync(path.join(folder, 'empty'), '');
  writeFileSync(path.join(folder, 'header.csv'), 'asset,language\n');
  const at = (name: string, ...more: string[]) =>
    mar(['wr', 'create', '--batch', path.join(folder, name), ...more], service);
  expect(await failure(2, at('rows'))).toContain('a folder');
  expect(await failure(2, at('none'))).toContain('no such file');
  expect(await failure(2, at('empty'))).toContain('no rows');
  await failure(2, at('header.csv'));
  expect((await at('empty', '--allow-empty')).stdout).toBe('0 rows: 0 done\n');
});

test('references of a table go out as objects, and dates in JSON lines as numbers', async () => {
  const service = await writeService();
  const table = 'asset,project,from,language,auto\na-1,p-1,u-1,fra,yes\n';
  await batchOf(service, table, 'rows.csv').run();
  expect(service.received).toMatchObject([
    { asset: { _id: 'a-1' }, project: { _id: 'p-1' }, from: { _id: 'u-1' } },
  ]);
  const lines =
    '{"asset":"a-1","due":{"date":"2026-12-01T18:00","tz":"UTC"}}\n{"due":{"date":"soon"}}\n';
  const { stderr } = await batchOf(service, lines).run(['--skip-invalid', '--skip-checks']);
  const due = { date: Date.UTC(2026, 11, 1, 18), tz: 'UTC' };
  expect(service.received[1]).toEqual({ asset: 'a-1', due });
  expect(stderr).toMatch(/^warning: field asset /m);
  expect(stderr).toContain('Row 2 (line 2) skipped: due.date: ');
});
