import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
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

  it('of a flag is not in the error of that flag', async () => {
    const argv = ['user', 'put', 'u-1', '--set', 'password=1234567890', '--json'];
    const { code, stderr } = await marWith('[{"_id":"u-1"}]', argv);
    expect(code).toBe(2);
    expect(stderr).toContain('password=[redacted]');
    expect(stderr).not.toContain('1234567890');
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

describe('an access key and a signed address', () => {
  const key = 'AKIA-s3cr3t';
  const address = 'https://cdn.example/a.mov?Expires=1&Signature=s3cr3t';
  const asset = JSON.stringify({
    _id: 'a-1',
    key: 'shown',
    previews: [{ _id: 'p-1', path: address, cdn: { path: '/p-1.mp4', key } }],
    file: { path: 'masters/What now?.mov' },
  });
  const hiddenAddress = 'https://cdn.example/a.mov?[redacted]';
  const hiddenAsset = asset.replace(address, hiddenAddress).replace(key, '[redacted]');
  const get = ['asset', 'get', 'a-1'];
  const preview = `{"_id":"p-1","path":"${address}"}`;

  it('are hidden in JSON, and all else stays as it was', async () => {
    expect((await marWith(asset, [...get, '--json'])).stdout).toBe(`${hiddenAsset}\n`);
    const escaped = asset.replace('?Expires', '\\u003fExpires').replace('"cdn"', '"\\u0063dn"');
    expect((await marWith(escaped, [...get, '--jsonl'])).stdout).toBe(`${hiddenAsset}\n`);
    expect((await marWith(asset, ['api', 'GET', '/assets/a-1'])).stdout).toBe(`${hiddenAsset}\n`);
    const shown = await marWith(asset, [...get, '--json', '--show-secrets']);
    expect(shown.stdout).toBe(`${asset}\n`);
  });

  it.each([
    ['a card', 80, ['--columns', 'previews,file']],
    ['YAML', undefined, ['-o', 'yaml']],
    [
      'CSV',
      undefined,
      ['-o', 'csv', '--columns', '_id,previews.0.path,previews.0.cdn.key,previews'],
    ],
    ['the result of a filter', undefined, ['--jq', '.previews[0].cdn.key, .previews[0].path']],
  ])('are hidden in %s', async (_name, columns, flags) => {
    const run = await marWith(asset, [...get, ...flags], { columns });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('s3cr3t');
  });

  it('are hidden in a file', async () => {
    const file = path.join(temporaryFolder(), 'a.json');
    await marWith(asset, [...get, '-O', file]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(hiddenAsset));
  });

  it.each([
    ['a response', 'preview put', ['--yes']],
    ['a dry run', 'preview put', ['--dry-run']],
    ['the question', 'offline put p-1', ['--yes']],
    ['a trace', 'preview put', ['--yes', '--debug']],
  ])('are hidden in %s to %s', async (_name, command, flags) => {
    const server = await recordingServer(preview);
    const env = { ...server.env, MAR_DEBUG: flags.includes('--debug') ? 'http' : '' };
    const argv = [...command.split(' '), '-f', '-', ...flags, '--json'];
    const run = await marOk(argv, { env, stdin: preview });
    expect(run.stdout + run.stderr).not.toContain('s3cr3t');
    if (!flags.includes('--dry-run')) expect(server.requests[0]).toContain(address);
  });

  it('are hidden in a trace and in the body of an error', async () => {
    const refusal = { status: 400, body: asset.replace('"key":"shown"', '"message":"no"') };
    for (const response of [asset, refusal, asset.slice(0, -1)]) {
      const { env } = await recordingServer(response);
      const run = await mar([...get, '--json'], { env: { ...env, MAR_DEBUG: 'http' } });
      expect(run.stderr).not.toContain('s3cr3t');
    }
  });

  it('are hidden in a diff, and in what others changed', async () => {
    const changed = asset.replaceAll('s3cr3t', 's3cr3t-2').replace('shown', 'theirs');
    const put = [...get.with(1, 'put'), '-f', '-', '--yes'];
    const diff = await marWith(asset, put, { stdin: changed });
    expect(diff.stderr).toMatch(/cdn\.key.*\n.*- \[redacted]\n.*\+ \[redacted]\n/);
    const dryRun = await marWith(asset, [...put, '--dry-run', '--json'], { stdin: changed });
    expect(JSON.parse(dryRun.stdout).changes).toHaveLength(3);
    const base = temporaryFile(asset.replaceAll('s3cr3t', 's3cr3t-3'), 'base.json');
    const conflict = await marWith(asset, [...put, '--base', base, '--json'], { stdin: changed });
    expect(conflict.code).toBe(6);
    for (const { stdout, stderr } of [diff, dryRun, conflict])
      expect(stdout + stderr).not.toContain('s3cr3t');
  });

  it.each([
    ['the key', `{"previews":[{"cdn":{"key":"[redacted]"}}]}`],
    ['the query', `{"path":"${hiddenAddress}"}`],
    ['the query, encoded', `{"path":"https://cdn.example/a.mov?%5Bredacted%5D"}`],
    ['the query, as a table shows it', `{"path":"https://cdn.example/a.mov?…"}`],
  ])('that came back without %s are not sent', async (_name, stdin) => {
    expect(await refused(['preview', 'put', '-f', '-', '--yes'], { stdin })).toContain(
      '[redacted]',
    );
  });

  it('are documented, so no service is set to have others', async () => {
    const file = temporaryFile('{"secret":{"fields":"password"}}', 'service.json');
    const { env, requests } = await recordingServer(asset);
    const run = await mar(['file', 'list', '--all'], { env: { ...env, MAR_SERVICE: file } });
    expect([run.code, requests]).toEqual([2, []]);
    expect(run.stderr).toContain('secret.fields');
  });
});
