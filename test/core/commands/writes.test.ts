import { describe, expect, it } from 'vitest';
import { schemaMismatches } from '../../../src/core/api/schemaMismatch.ts';
import { schemas } from '../../../src/core/api/schemas.ts';
import { fromPlain } from '../../../src/core/json/value.ts';
import { parseYaml } from '../../../src/core/records/parseYaml.ts';
import { assetService } from '../../harness/assetService.ts';
import { mar, marOk } from '../../harness/mar.ts';
import { marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

describe('--dry-run', () => {
  it.each([
    ['wr create --skip-checks --set language=fra', 'POST', '/workrequests'],
    ['translation submit --set language=fra', 'POST', '/translations'],
    ['file upload-meta --set name=a.mov', 'POST', '/files'],
    ['user put x -f -', 'PUT', '/session/x'],
    ['offline put x -f -', 'PUT', '/offlines/x'],
    ['preview put -f -', 'PUT', '/previews'],
    ['event put -f -', 'PUT', '/events'],
    ['api DELETE /previews/p-1', 'DELETE', '/previews/p-1'],
  ])(
    'of %s sends nothing, and shows the request without its secret',
    async (line, method, path) => {
      const server = await recordingServer(path.includes('session') ? '[]' : '{}');
      const stdin = '{"_id":"x","big":9007199254740993,"password":"hush"}';
      const run = await marOk([...line.split(' '), '--dry-run'], { ...server, stdin });
      expect(server.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
      expect(run.stdout).toContain(`${method} ${server.baseUrl}${path}\n`);
      expect(run.stdout).toContain('Authorization: [redacted]\n');
      expect(run.stdout + run.stderr).not.toMatch(/s3cret|hush/);
      expect(run.stderr).toMatch(/^Dry run: .* 127\.0\.0\.1:/m);
      if (line.includes('-f')) expect(run.stdout).toContain('"big": 9007199254740993');
    },
  );

  it('with --json is the request and, for an existing record, the changed fields', async () => {
    const record = '{"_id":"a-1","name":"One","n":1.0,"password":"hush"}';
    const service = await assetService(record, { tags: true });
    const edits = '--set name=Two --set tags[+]=x --set password=hush2 --dry-run --json';
    const run = await marOk(['asset', 'put', 'a-1', ...edits.split(' ')], service);
    expect(service.methods).not.toContain('PUT');
    expect(run.stdout).toContain('"body":{"_id":"a-1","name":"Two","n":1.0,');
    expect(run.stdout).not.toContain('hush');
    const { request, changes } = JSON.parse(run.stdout);
    const headers = { Authorization: '[redacted]', 'If-Match': expect.stringMatching(/^"/) };
    expect(request).toMatchObject({ method: 'PUT', headers });
    expect(changes).toEqual([
      { path: 'name', before: 'One', after: 'Two' },
      { path: 'password', before: '[redacted]', after: '[redacted]' },
      { path: 'tags', after: ['x'] },
    ]);
  });

  const columns = 'request.method,request.body.n';
  it.each([
    ['--jq .request.body.n', '9007199254740993\n'],
    [`--columns ${columns} -o csv`, `${columns}\r\nPOST,9007199254740993\r\n`],
    ['-o yaml', expect.stringMatching(/^request:\n {2}method: POST\n/)],
  ])('is filtered and printed like any other result: %s', async (flags, expected) => {
    const argv = `wr create --skip-checks -f - --dry-run ${flags}`.split(' ');
    const run = await marWith('{}', argv, { stdin: '{"n":9007199254740993}' });
    expect(run).toMatchObject({ code: 0, stdout: expected });
  });

  it('refuses what would be refused', async () => {
    await refused(['wr', 'create', '-f', '-', '--dry-run'], { stdin: '{"language":5}' });
  });
});

describe('every write', () => {
  const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
  it.each(['user', 'offline'])(
    'of a %s is refused where it would replace another',
    async (noun) => {
      const argv = [noun, 'put', 'x-1', '-f', '-'];
      const stdin = '{"_id":"x-2"}';
      expect(await refused(argv, { stdin })).toMatch(/ "x-2".* "x-1"/);
      if (noun === 'user') return;
      const meant = await marWith('{"_id":"x-1"}', [...argv, '--set', '_id=x-1'], { stdin });
      expect(meant.code, meant.stderr).toBe(0);
    },
  );

  it('shows on standard error whose it is and where it goes, if no check refuses it', async () => {
    const server = await recordingServer('{"_id":"wr-1"}');
    const words = `${requestWords.writingTo(`127.0.0.1:${server.port}`)} as ines@northlight.example\n`;
    expect((await mar(create, server)).stderr).toBe(words);
    expect((await mar([...create, '--json'], { ...server, columns: 80 })).stderr).toBe(words);
    const refusal = await refused(['preview', 'put', '-f', '-'], { stdin: '{"label":1}' });
    expect(refusal).not.toContain(requestWords.writingTo(''));
  });

  it('leaves standard error to its error where a program reads it', async () => {
    const run = await marWith({ status: 422, body: '{}' }, [...create, '--json']);
    expect(JSON.parse(run.stderr).error.kind).toBe('refused');
    const record = '{"_id":"a-1","name":"One"}';
    const argv = ['asset', 'put', 'a-1', '--set', 'name=Two', '--json'];
    const put = await marWith([record, record, { status: 503, body: '{}' }], argv);
    expect(JSON.parse(put.stderr).error.status).toBe(503);
  });
});

describe('wr create --template', () => {
  it.each([['--json'], ['-o', 'csv'], ['--jq', '.']])('has no form for %s %s', async (...flags) => {
    await refused(['wr', 'create', '--template', ...flags]);
  });

  it('prints fields as comments, which are right once the # is taken away', async () => {
    const server = await recordingServer('{}');
    const run = await marOk(['wr', 'create', '--template', '--set', 'language=fra'], server);
    expect(server.requests).toEqual([]);
    expect(parseYaml(run.stdout)).toEqual(new Map([['language', 'fra']]));
    const filled = run.stdout.replace(/^#(?! \S)/gm, '');
    const argv = ['wr', 'create', '--skip-checks', '-f', '-', '--jq', '.request.body', '--dry-run'];
    const again = await marOk(argv, { ...server, stdin: filled });
    const plain = JSON.parse(again.stdout) as Record<string, unknown>;
    expect(schemaMismatches(schemas.workRequestDraft(), fromPlain(plain))).toEqual([]);
    expect(Object.keys(plain)).toEqual(expect.arrayContaining(['asset', 'due', 'recipients']));
    for (const own of ['_id', 'status', 'history', 'created', '$links']) {
      expect(plain).not.toHaveProperty([own]);
    }
  });
});
