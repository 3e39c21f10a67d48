import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { factsIn, marWith } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { networkWords } from '../../words/network.ts';

/** The message for a response with this body. */
async function said(body: string, status = 422): Promise<string> {
  const { stderr } = await marWith({ status, body }, ['asset', 'get', 'a-1', '--retries', '0']);
  const [line = ''] = stderr.split('\n');
  return line.replace(/^.*?\(\d+\)(?:: )?/, '');
}

describe('the text of the service about a failure', () => {
  it.each([
    ['{"message":"no name"}', 'no name'],
    ['{"error":"no name"}', 'no name'],
    ['{"message":"","error":"no name"}', 'no name'],
    ['{"error":{"code":7,"message":"no name"}}', 'no name'],
    ['{"errors":[{"message":"no name"},{"message":"no date"}]}', 'no name; no date'],
    ['"no name"', 'no name'],
    ['no name\n', 'no name'],
    ['{"detail":"no name"}', '{"detail":"no name"}'],
    ['{\n  "detail": "no name"\n}\n', '{ "detail": "no name" }'],
    ['first\nsecond\n\nthird', 'first second third'],
    // A signed query is a secret.
    [
      '{"message":"no https://cdn.example/a.mp4?Signature=sig123"}',
      'no https://cdn.example/a.mp4?…',
    ],
    ['', ''],
  ])('is found in %j', async (body, expected) => {
    expect(await said(body)).toBe(expected);
  });

  it.each([
    ['<html>\r\n<title>502 Bad Gateway</title>\r\n<h1>Oh</h1>nginx\r\n</html>', '502 Bad Gateway'],
    [
      '<!DOCTYPE html><head><TITLE lang="en">\nDown for\n repair </TITLE></head><p>until noon</p>',
      'Down for repair',
    ],
    ['<!DOCTYPE html><html><body><p>Back at noon</p></body></html>', ''],
    ['<?xml version="1.0"?><Error><Message>no name</Message></Error>', ''],
  ])('is only the title of a web page: %j', async (body, expected) => {
    expect(await said(body, 502)).toBe(expected);
    const error = await failure(['asset', 'get', 'a-1'], { status: 502, body });
    expect(error.body ?? '').toBe(expected);
  });

  it('is not without end', async () => {
    expect(await said(JSON.stringify({ message: 'x'.repeat(5000) }))).toHaveLength(2001);
    expect(await said('x'.repeat(5000))).toHaveLength(500);
  });

  it('is read quickly off a page that is made to be slow', async () => {
    for (const piece of ['<', '<title', '<title>', '<title x ']) {
      expect(await said(`<html>${piece.repeat(1_000_000)}`)).toBeTypeOf('string');
    }
  });
});

describe('a useless response', () => {
  it('is shown to a program without the passwords in it', async () => {
    const run = await marWith('{"_id":"u-1","password":"hunter22"}', ['user', 'list', '--json']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr).error.body).toBe('{"_id":"u-1","password":"[redacted]"}');
  });
});

/** The JSON error of a command that gets this response. */
async function failure(
  argv: string[],
  response: { status: number; headers?: string[]; body?: string },
) {
  const { env } = await recordingServer({ body: '', ...response });
  const { code, stderr } = await mar([...argv, '--json', '--retries', '0'], {
    env,
    stdin: '{"_id":"p-7"}',
  });
  return { code, ...factsIn(stderr) };
}

describe('a missing record', () => {
  it.each([
    [['wr', 'get', 'wr-9999'], 'work request', 'wr-9999'],
    [['asset', 'get', 'a/b ü'], 'asset', 'a/b ü'],
    [['notification', 'show', 'n-1'], 'notification', 'n-1'],
    [['preview', 'put', '-f', '-'], 'preview', 'p-7'],
    [['offline', 'put', 'p-7', '-f', '-'], 'offline', 'p-7'],
    [['api', '/workrequests/wr-9999'], 'work request', 'wr-9999'],
  ])('of mar %j is named by its kind and id', async (argv, resource, id) => {
    expect(await failure(argv, { status: 404 })).toMatchObject({
      code: 5,
      kind: 'not-found',
      message: expect.stringContaining(`${resource} ${id}`),
      resource,
      id,
    });
  });

  it.each([
    ['there is no WorkRequest "wr-9999"', 'work request wr-9999 not found'],
    ['Not found.', 'work request wr-9999 not found'],
    ['moved to the archive', 'work request wr-9999 not found: moved to the archive'],
  ])(
    'is reported with the message of the service only if that adds something: %s',
    async (body, message) => {
      const error = await failure(['wr', 'get', 'wr-9999'], { status: 404, body });
      expect(error).toMatchObject({ message, body });
    },
  );

  it('has no kind or id if the request was for something else', async () => {
    const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
    for (const argv of [['file', 'list'], create, ['api', '/x/y']]) {
      const error = await failure(argv, { status: 404 });
      const message = expect.stringMatching(/^(GET|POST) \/api\/.*: /);
      expect(error).toMatchObject({ code: 5, message });
      expect(error).not.toHaveProperty('resource');
      expect(error).not.toHaveProperty('id');
    }
  });
});

it('a service that is busy is rate-limited, with the time to wait if it names one', async () => {
  const headers = ['Retry-After: 90'];
  expect(await failure(['asset', 'get', 'a-1'], { status: 429, headers })).toMatchObject({
    code: 1,
    kind: 'rate-limited',
    retryAfterMs: 90_000,
    hint: `${networkWords.tryAgain} in 90 s.`,
  });
  const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
  const error = await failure(create, { status: 429 });
  expect(error).toMatchObject({ code: 1, kind: 'rate-limited' });
  expect(error).not.toHaveProperty('retryAfterMs');
});

describe('several failures', () => {
  const missing = (id: string) => ({ status: 404, headers: [`X-Request-Id: r-${id}`], body: '' });

  const get = ['wr', 'get', 'wr-1', 'wr-2'];

  it('are several messages with all request ids, and a list in JSON', async () => {
    const run = await marWith([missing('1'), missing('2')], get);
    expect(run).toMatchObject({ code: 5, stdout: '' });
    expect(run.stderr).toMatch(/^error: .*wr-1.*\n {2}.*wr-2/);
    expect(run.stderr).toMatch(/\n {2}request id: r-[12], r-[12]\n$/);
    const json = await marWith([missing('1'), missing('2')], [...get, '--json']);
    const requestId = expect.stringMatching(/^r-[12]$/);
    const one = { kind: 'not-found', resource: 'work request', requestId };
    const errors = [
      { ...one, id: 'wr-1' },
      { ...one, id: 'wr-2' },
    ];
    expect(JSON.parse(json.stderr).error).toMatchObject({ kind: 'not-found', exitCode: 5, errors });
  });

  it('are printed once if they read the same', async () => {
    const busy = (id: string) => ({ status: 401, headers: [`X-Request-Id: ${id}`], body: '' });
    const { stderr } = await marWith([busy('r-1'), busy('r-2')], get);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(stderr).toMatch(/request id: r-[12], r-[12]\n$/);
  });
});

describe('with JSON errors', () => {
  it('no note is on standard error', async () => {
    const list = JSON.stringify(Array.from({ length: 10 }, (_, index) => ({ _id: `f-${index}` })));
    const { env } = await recordingServer(list);
    for (const flags of [['--json'], ['--jsonl'], ['--jq', '._id'], ['-o', 'json']]) {
      const run = await mar(['file', 'list', ...flags], { env });
      expect(run).toMatchObject({ code: 0, stderr: '' });
    }
    expect((await mar(['file', 'list'], { env })).stderr).not.toBe('');
  });
});
