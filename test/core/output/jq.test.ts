import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const list = ['file', 'list'];
const files = (...texts: string[]) => `[${texts.join(', ')}]`;
const get = ['asset', 'get', 'a-1'];

const filtered = (answer: string, filter: string, argv: readonly string[] = list) =>
  marWith(answer, [...argv, '--jq', filter]);

describe('--jq', () => {
  it('sees no environment', async () => {
    const run = await filtered('{"_id":"a-1"}', '[$ENV, env, $ENV.HOME, env.PATH]', get);
    expect(run).toMatchObject({ code: 0, stdout: '[{},{},null,null]\n' });
  });

  it.each([
    ['drops records', files('{"n":1}', '{"n":2}', '{"n":3}'), 'select(.n == 2)', '{"n":2}\n'],
    ['sees each record alone', files('1', '2', '3'), '[., inputs]', '[1]\n[2]\n[3]\n'],
    ['wins over --json', files('{"_id":"f-1"}'), '._id', 'f-1\n', '--json'],
  ])('%s', async (_, answer, filter, stdout, ...flags) => {
    const run = await filtered(answer, filter, [...list, ...flags]);
    expect(run).toMatchObject({ code: 0, stdout });
  });

  it('prints strings as they are and all else as JSON, one result a line', async () => {
    const run = await filtered(
      files('{"_id":"  f 1 ","n":[1, {"b":2,"a":null}]}', '{"_id":"\\ufefff-2","n":true}'),
      '._id, .n',
    );
    const printed = ['  f 1 ', '[1,{"b":2,"a":null}]', '\ufefff-2', 'true\n'];
    expect(run).toMatchObject({ code: 0, stdout: printed.join('\n') });
  });

  it('keeps the digits of numbers that the filter does not count with', async () => {
    const numbers = '9007199254740993,1.0,0.10,123456789012345678901234567890';
    const run = await filtered(`{"n":[${numbers}],"b":{"x":1,"a":2}}`, '.n, .n[0], {b}', get);
    expect(run.stdout).toBe(`[${numbers}]\n9007199254740993\n{"b":{"x":1,"a":2}}\n`);
  });

  it.each([
    '._id',
    '.due.date',
    '.due.tz.deep',
    '.tags[0]',
    '.tags[9]',
    '.tags',
    '.none.deeper',
    '.none[1]',
    '.big',
    '.decimal',
    '.text',
    '.constructor',
    '.not',
    '.twice',
  ])('prints the same for the plain path %s as for the filter in parentheses', async (path) => {
    const record = `{"_id":"a-1","due":{"date":1796230800000,"tz":null},"tags":["x","y"],"name":"N",
      "big":12345678901234567890,"decimal":1.50,"text":"\\u00e9 \\ud83d\\ude80\\t\\u007f","not":true,
      "twice":1,"twice":2}`;
    const [plain, filter] = [
      await filtered(record, path, get),
      await filtered(record, `(${path})`, get),
    ];
    expect(plain).toEqual(filter);
  });

  it.each(['._id.x', '.tags.x', '.tags[0].x', '._id[0]'])('fails for the path %s', async (path) => {
    const run = await filtered('{"_id":"a-1","tags":["x"]}', path, get);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr).error.kind).toBe('filter');
  });

  it('prints a number of a path in the digits of the service', async () => {
    expect((await filtered('{"n":1e3}', '.n', get)).stdout).toBe('1e3\n');
  });

  it('takes a page that is larger than jq could hold at once', async () => {
    const text = 'x'.repeat(300_000);
    const records = Array.from({ length: 40 }, (_, index) => ({ _id: `f-${index}`, text }));
    const argv = [...list, '--range', '0-39'];
    const run = await filtered(JSON.stringify(records), '._id, (.text | length)', argv);
    expect(run.stdout).toBe(records.map(({ _id }) => `${_id}\n300000\n`).join(''));
  });

  it.each([
    ['asset get a-1 a-2', '._id', 'a-1\na-1\n'],
    ['wr create --skip-checks --set language=fra', '._id', 'a-1\n'],
    ['whoami', '.email', 'ines@northlight.example\n'],
    ['config get output', '.key', 'output\n'],
    ['api GET /x', '._id', 'a-1\n'],
  ])('runs on what mar %s prints', async (line, filter, stdout) => {
    expect(await filtered('{"_id":"a-1"}', filter, line.split(' '))).toMatchObject({ stdout });
  });

  it('does not get to see a password', async () => {
    const argv = ['user', 'list'];
    const answer = files('{"password":"hunter2","x":{"password":"hunter3"}}');
    expect((await filtered(answer, '., .password', argv)).stdout).toBe(
      '{"password":"[redacted]","x":{"password":"[redacted]"}}\n[redacted]\n',
    );
    const shown = await filtered(answer, '.password', [...argv, '--show-secrets']);
    expect(shown.stdout).toBe('hunter2\n');
  });

  it('shows messages of the filter beside its results', async () => {
    const run = await filtered(files('1'), 'debug | . + 1', ['api', 'GET', '/x']);
    expect(run).toMatchObject({ code: 0, stdout: '2\n' });
    expect(JSON.parse(run.stderr)).toEqual({ note: { code: 'jq', message: '["DEBUG:",1]' } });
  });

  it('ends the list, and asks for no more, where the filter halts', async () => {
    const server = await recordingServer('[{"n":1},{"n":2},{"n":3}]', '[{"n":4}]');
    const filter = 'if .n == 2 then halt else .n end';
    const run = await mar([...list, '--limit', '9', '--page-size', '3', '--jq', filter], server);
    expect(run).toMatchObject({ code: 0, stdout: '1\n' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('--jq-slurp', () => {
  it.each([
    ['of all pages', [...list, '--all'], ['[{"n":1},{"n":2}]', '[{"n":3}]', '[]'], '[1,2,3]\n'],
    ['that is empty when there is nothing', list, ['[]'], '[]\n'],
    ['of one for a single record', get, ['{"n":1}'], '[1]\n'],
  ])('runs on the array %s', async (_, argv, answers, stdout) => {
    const run = await marWith(answers, [...argv, '--jq-slurp', 'map(.n)']);
    expect(run).toMatchObject({ code: 0, stdout });
  });

  it('says that a count is one of ten records, unless that was asked for', async () => {
    const ten = JSON.stringify(Array.from({ length: 10 }, (_, n) => ({ n })));
    const cut = await marWith(ten, [...list, '--jq-slurp', 'length']);
    expect(cut.stdout).toBe('10\n');
    expect(JSON.parse(cut.stderr).warning).toMatchObject({ code: 'list-cut' });
    expect((await marWith(ten, [...list, '--limit', '10', '--jq-slurp', 'length'])).stderr).toBe(
      '',
    );
  });

  it('fails with the list', async () => {
    const run = await marWith('[{"n":"why"}]', [...list, '--jq-slurp', '.[0].n | error']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr).error.message).toMatch(/list: why$/);
  });
});

describe('a filter that is wrong', () => {
  it.each([
    ['--jq', '.a.', /^--jq: syntax error[\s\S]*line 1, column 3[\s\S]*\.a\./],
    ['--jq', 'nope', /^--jq: nope\/0 is not defined/],
    ['--jq-slurp', '', /^--jq-slurp: Top-level program not given/],
    ['--jq', '.a) | (.b', /^--jq: syntax error/],
    ['--jq', '$page', /^--jq: \$page is not defined/],
    ['--jq', 'include "x"; .', /^--jq: module not found: x/],
  ])(
    'is reported in the words of jq, and nothing is sent: %s %s',
    async (flag, filter, message) => {
      const stderr = await refused([...list, flag, filter]);
      expect(JSON.parse(stderr).error.message).toMatch(message);
    },
  );

  it.each([
    ['--columns', 'name'],
    ['--fields', 'name'],
    ['-o', 'csv'],
    ['-o', 'tsv'],
    ['-o', 'table'],
    ['-o', 'yaml'],
    ['--jq-slurp', '.'],
  ])('is one with %s %s, and nothing is sent', async (...flags) => {
    const stderr = await refused([...list, '--jq', '.', ...flags]);
    expect(JSON.parse(stderr).error.kind).toBe('usage');
  });

  it.each([
    ['names the record by its id', '.n + 1', /record f-2: .*cannot be added/],
    ['names the record by its place', '.n + 1', /record 1: .*cannot be added/, '{"n":"x"}'],
    ['may say why', '.n | if . == "x" then error("no \\(.)") else . + 1 end', /record f-2: no x$/],
    [
      'may say it with any value',
      '.n | if . == "x" then error(null) else . + 1 end',
      /record f-2: null \(not a string\)$/,
    ],
    ['may halt', '.n | if . == "x" then halt_error else . + 1 end', /record f-2: x$/],
  ])('for a record %s', async (_name, filter, message, second = '{"_id":"f-2","n":"x"}') => {
    const run = await filtered(files('{"_id":"f-1","n":1}', second, '{"_id":"f-3","n":3}'), filter);
    expect(run).toMatchObject({ code: 1, stdout: '2\n' });
    const { error } = JSON.parse(run.stderr);
    expect(error.kind).toBe('filter');
    expect(error.message).toMatch(message);
  });

  it('for a record that is deep beyond reason is reported too', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const run = await filtered(files('{"_id":"f-1"}', `{"_id":"f-2","x":${deep}}`), '(._id)');
    expect(run).toMatchObject({ code: 1, stdout: 'f-1\n' });
    expect(run.stderr).toContain('record f-2: Exceeds depth limit');
  });
});
