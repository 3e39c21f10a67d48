import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, type RunOptions, startMar, temporaryFile } from '../../harness/mar.ts';
import { failure, marWith } from '../../harness/marWith.ts';
import { type CannedResponse, recordingServer } from '../../harness/recordingServer.ts';

const get = ['api', 'GET', '/x'];

const answered = (
  answer: CannedResponse,
  argv: readonly string[] = [],
  options: Omit<RunOptions, 'env'> = {},
) => marWith(answer, [...get, ...argv], options);

/** The bytes on standard output for an answer of any bytes. */
async function bytesFor(body: Buffer, options: RunOptions = {}) {
  const { env } = await fakeService(() => ({ headers: { 'Content-Type': 'image/png' }, body }));
  const run = startMar(get, { ...options, env });
  const outcome = await run.ended;
  return { ...outcome, bytes: Buffer.concat(run.stdout.chunks) };
}

const record = '{ "z": 1.0,\n "2": 9007199254740993, "url": "//h/p?sig=1" }';
const compact = '{"z":1.0,"2":9007199254740993,"url":"//h/p?sig=1"}';

describe('a response that is JSON', () => {
  it.each([
    ['a record', record, [], `${compact}\n`],
    ['a record', record, ['--json'], `${compact}\n`],
    ['a record', record, ['--jsonl'], `${compact}\n`],
    ['a record', record, ['--columns', 'z,2,no'], 'z\t1.0\n2\t9007199254740993\nno\t\n'],
    ['a list', `[${record}, 1.0 , "b", null]`, [], `[${compact},1.0,"b",null]\n`],
    ['a list', `[${record}, 1.0]`, ['--jsonl'], `${compact}\n1.0\n`],
    ['a list', `[${record},{"z":2}]`, ['--columns', 'z,2'], '1.0\t9007199254740993\n2\t\n'],
    ['an empty list', ' [ ]', [], '[]\n'],
    ['a number', ' 12345678901234567890\n', [], '12345678901234567890\n'],
    ['null', 'null', ['--json'], 'null\n'],
    ['a text', '"a\u009bb"', [], '"a\\u009bb"\n'],
    ['nothing at all', '', [], ''],
    ['nothing at all', '', ['--json'], ''],
  ])('is printed: %s, %j with %j', async (_name, body, argv, stdout) => {
    expect(await answered({ body }, argv)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    ['yaml', 'a: 1\n'],
    ['csv', '{"a":1}\n'],
  ])('is whole, also with the setting %s', async (output, stdout) => {
    const { env } = await recordingServer('{"a":1}');
    const config = temporaryFile(JSON.stringify({ settings: { output } }), 'config.json');
    const own = { env: { ...env, MAR_CONFIG_DIR: path.dirname(config) } };
    expect(await mar(get, own)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each([
    ['[{"a":[1.0,{}]}]', [], '[\n  {\n    "a": [\n      1.0,\n      {}\n    ]\n  }\n]\n'],
    ['{"a":1}', [], '{\n  "a": 1\n}\n'],
    ['[{"a":1,"b":2}]', ['--columns', 'a,b', '--no-color'], 'A  B\n1  2\n'],
  ])('on a terminal, %s with %j is indented or a table', async (body, argv, stdout) => {
    expect((await answered(body, argv, { columns: 80 })).stdout).toBe(stdout);
  });

  it('shows no password, unless it is asked for', async () => {
    const body = '{"users":[{"password":"hash"}]}';
    expect((await answered(body)).stdout).toBe('{"users":[{"password":"[redacted]"}]}\n');
    expect((await answered(body, ['--show-secrets'])).stdout).toBe(`${body}\n`);
  });
});

describe('a response that is not JSON', () => {
  const text = 'id,name\r\n1,\u001b[31mred\n\n';

  it('is printed as it came, on a terminal without live control characters', async () => {
    const run = await answered({ body: text });
    expect(run).toMatchObject({ code: 0, stdout: text });
    const { code, stdout } = await answered({ body: text }, [], { columns: 80 });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'id,name\n1,␛[31mred\n\n' });
    expect((await answered({ body: 'a' }, [], { columns: 80 })).stdout).toBe('a\n');
  });

  it.each([['--json'], ['--jsonl'], ['--columns', 'a']])('is of no use for %s', async (...argv) => {
    expect(await failure(1, answered({ body: text }, argv))).toContain('unusable response');
  });

  it.each([
    ['not UTF-8', Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x0a])],
    ['with a NUL', Buffer.from('a\0b')],
    ['with a byte-order mark', Buffer.from('\ufeffid,name\n')],
  ])('goes through a pipe byte for byte: %s', async (_name, body) => {
    const run = await bytesFor(body);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.bytes.equals(body)).toBe(true);
  });

  it('is made visible on a terminal, also when it is binary', async () => {
    const run = await bytesFor(Buffer.from([0x50, 0x00, 0xff, 0x1b]), { columns: 80 });
    expect(run).toMatchObject({ code: 0, stdout: 'P␀\ufffd␛\n' });
  });
});

it.each([
  [201, 'POST', 0],
  [204, 'DELETE', 0],
  [302, 'HEAD', 1],
  [307, 'POST', 3],
  [304, 'GET', 1],
  [401, 'GET', 4],
  [404, 'GET', 5],
  [412, 'PUT', 6],
  [418, 'GET', 3],
  [422, 'PATCH', 3],
  [429, 'GET', 1],
  [599, 'GET', 1],
])('a status of %i on a %s exits with %i', async (status, method, code) => {
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const body = hasBody ? '{"message":"said the service"}' : '';
  const server = await recordingServer({ status, body });
  const run = await mar(['api', method, '/x', '--retries', '0'], server);
  expect(run.code, run.stderr).toBe(code);
  expect(run.stdout).toBe(code === 0 && body ? `${body}\n` : '');
  if (status >= 400) expect(run.stderr).toContain('said the service');
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['HEAD', '200 OK', 0],
  ['GET', '304 Not Modified', 1],
])('a %s of %s may speak of any length', async (method, status, code) => {
  const raw = `HTTP/1.1 ${status}\r\nContent-Length: 999999999999\r\n\r\n`;
  const run = await marWith({ raw, afterwards: 'wait' }, ['api', method, '/x']);
  expect(run, run.stderr).toMatchObject({ code, stdout: '' });
});

describe('--all', () => {
  const ranges = (requests: string[]) =>
    requests.map((request) => /^X-Range: resources=(.*)\r$/m.exec(request)?.[1]);

  it('goes on from where the response stopped until a page is empty, or --limit', async () => {
    const server = await recordingServer('[{"n":1.0},{"n":2}]', '[{"n":3}]', '[]');
    const run = await mar([...get, '--all', '--page-size', '5'], server);
    expect(run).toEqual({ code: 0, stdout: '[{"n":1.0},{"n":2},{"n":3}]\n', stderr: '' });
    expect(ranges(server.requests)).toEqual(['0-4', '2-6', '3-7']);
    const other = await recordingServer('[1,2]', '[3,4]');
    const limited = await mar([...get, '--limit', '3'], other);
    expect(limited).toEqual({ code: 0, stdout: '[1,2,3]\n', stderr: '' });
    expect(ranges(other.requests)).toEqual(['0-2', '2-2']);
  });

  it('streams one element a line', async () => {
    const run = await marWith(['[1]', '[2]', '[]'], [...get, '--all', '--jsonl']);
    expect(run).toMatchObject({ code: 0, stdout: '1\n2\n' });
  });

  it('needs a list', async () => {
    expect(await failure(1, answered('{"a":1}', ['--all']))).toContain('expected a list');
  });
});
