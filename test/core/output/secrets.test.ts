import { describe, expect, it } from 'vitest';
import { mar, marOk } from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const users = ['user', 'list'];
const user =
  '{"_id":"u-1","name":"Ines","password":"hunter2","2":9007199254740993,"1":1.0,"more":[{"password":"hunter3"}]}';
const hidden = user.replace('hunter2', '[redacted]').replace('hunter3', '[redacted]');

describe("a user's password", () => {
  it('is hidden in JSON, and all else stays as it was', async () => {
    const { env } = await recordingServer(`[${user}]`);
    expect((await mar([...users, '--json'], { env })).stdout).toBe(`[${hidden}]\n`);
    expect((await mar([...users, '--jsonl'], { env })).stdout).toBe(`${hidden}\n`);
  });

  it.each([
    ['a table', 80, ['--columns', 'name,password,more']],
    ['tab-separated values', undefined, ['--columns', 'name,password,more']],
    ['JSON on a terminal', 80, ['--json']],
    ['a plain list', 80, []],
  ])('is hidden in %s', async (_name, columns, flags) => {
    const run = await marWith(`[${user}]`, [...users, ...flags], { columns });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('hunter');
  });

  it.each([undefined, 80])(
    'is hidden in the response to a write (terminal: %s)',
    async (columns) => {
      const { env } = await recordingServer(`[${user}]`, `[${user}]`, user);
      const argv = ['user', 'put', 'u-1', '-f', '-'];
      const run = await marOk(argv, { env, columns, stdin: '{"password":"hunter2"}' });
      expect(run.stdout + run.stderr).not.toContain('hunter');
    },
  );

  it.each([
    ['{"p\\u0061ssword":"hunter2"}', '{"password":"[redacted]"}'],
    ['{"password":["hunter2"]}', '{"password":"[redacted]"}'],
    ['{"password":{"hash":"hunter2"}}', '{"password":"[redacted]"}'],
    ['{"password":2}', '{"password":"[redacted]"}'],
    ['{"password":true}', '{"password":"[redacted]"}'],
    ['{"password":""}', '{"password":"[redacted]"}'],
    ['{"password":"hunter2","password":"hunter3"}', '{"password":"[redacted]"}'],
    // There is nothing to hide.
    ['{"password":null}', '{"password":null}'],
  ])('is hidden, in whichever form: %s', async (record, printed) => {
    const run = await marWith(`[${record}]`, [...users, '--json']);
    expect(run.stdout).toBe(`[${printed}]\n`);
  });

  it('is shown with --show-secrets, the record exactly as it came', async () => {
    const run = await marWith(`[${user}]`, [...users, '--show-secrets', '--json']);
    expect(run.stdout).toBe(`[${user}]\n`);
  });
});

describe('a body that still holds [redacted]', () => {
  const put = ['offline', 'put', 'u-1', '-f', '-', '--skip-checks'];

  it.each([
    ['at its top', [], '{"name":"x","password":"[redacted]"}'],
    ['deep inside', [], '{"list":[{"user":{"password":"[redacted]"}}]}'],
    ['in YAML', [], 'name: x\npassword: "[redacted]"\n'],
    ['from --set', ['--set', 'owner.password=[redacted]'], '{"_id":"u-1"}'],
  ])('%s is refused, and nothing is sent', async (_name, flags, stdin) => {
    expect(await refused([...put, ...flags], { stdin })).toContain('[redacted]');
  });

  it('is sent once that field is removed', async () => {
    const server = await recordingServer('{"_id":"u-1"}');
    const run = await mar([...put, '--unset', 'password'], { ...server, stdin: hidden });
    expect(run.code).toBe(2);
    const unset = [...put, '--unset', 'password', '--unset', 'more'];
    await marOk(unset, { ...server, stdin: hidden });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatch(
      /\r\n\r\n{"_id":"u-1","name":"Ines","2":9007199254740993,"1":1.0}$/,
    );
  });

  it('in a field that is no secret is sent as it is', async () => {
    const server = await recordingServer('{"_id":"u-1"}');
    await marOk(put, { ...server, stdin: '{"name":"[redacted]"}' });
    expect(server.requests[0]).toContain('{"name":"[redacted]"}');
  });
});

describe('a signed query', () => {
  const url = 'https://cdn.example/a.mov?X-Signature=s3cr3t&Expires=1';
  const record = JSON.stringify({
    _id: 'a-1',
    name: url,
    type: `see ${url} now`,
    $links: { self: '//media.example/api/assets/a-1?sig=s3cr3t' },
    previews: [{ _id: 'p-1', label: url }],
  });
  const get = ['asset', 'get', 'a-1'];

  it.each([
    ['a card', 80, get],
    ['key and value rows', undefined, get],
    ['picked rows', undefined, [...get, '--columns', 'name,$links.self,previews']],
    ['a picked card', 80, [...get, '--columns', 'name,$links,previews']],
    ['a table', 200, [...get, 'a-1', '--columns', '_id,name,$links']],
    ['tab-separated values', undefined, [...get, 'a-1', '--columns', '_id,name,$links']],
  ])('is dropped from %s', async (_name, columns, argv) => {
    const run = await marWith(record, argv, { columns });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain('cdn.example/a.mov');
    expect(run.stdout).not.toContain('s3cr3t');
  });

  it.each(['--json', '--jsonl'])('is kept with %s', async (flag) => {
    expect((await marWith(record, [...get, flag])).stdout).toBe(`${record}\n`);
  });
});
