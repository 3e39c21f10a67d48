import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/api/endpoints.ts';
import { basic, demo, demoSandbox, expectErrors, loggedIn, sendRequest } from './harness.ts';

const mebibyte = 1024 * 1024;

test('a body that is not JSON gets 400 and the place', () => {
  const bodies: [body: string, message: RegExp][] = [
    ['{"a":1,}', /line 1, column 8/],
    ['{"a":\n  nope}', /line 2, column 3/],
    ['', /line 1, column 1/],
    ['{"a":1}{', /line 1, column 8/],
    ['{"a":1,"a":2}', /duplicate key/],
    ['\ufeff{}', /line 1, column 1/],
    [`${'['.repeat(100_000)}`, /nested deeper/],
    [`{"a":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`, /nested deeper/],
  ];
  return expectErrors(
    400,
    bodies.map(([body, message]) => {
      const error = { code: 'bad-json', message: expect.stringMatching(message) };
      return ['POST /workrequests', { body }, error];
    }),
  );
});

test('a body that is not UTF-8 or not an object gets 400', () => {
  const noText = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
  const others = ['[]', '"text"', '7', 'null', 'true'];
  return expectErrors(400, [
    ['POST /files', { body: noText }, { message: expect.stringContaining('UTF-8') }],
    ...others.map((body) => ['POST /files', { body }, { code: 'wrong-type' }] as const),
  ]);
});

test('a field of the wrong type gets 400, and the error names it', () => {
  const tvUse = { uses: { details: { tv: [{ ship: 'no' }] } } };
  const mistakes: [path: string, body: object | string, field: string, reason: string][] = [
    ['/workrequests', { due: { date: 'x' } }, 'due.date', 'an integer, found a string'],
    ['/workrequests', { due: { date: 1.5 } }, 'due.date', 'an integer, found the number 1.5'],
    ['/workrequests', { history: [{}, { user: 4 }] }, 'history[1].user', 'an object, found'],
    ['/workrequests', { asset: { name: 3 } }, 'asset.name', 'a string, found the number 3'],
    ['/workrequests', { asset: 3 }, 'asset', 'a string or an object, found the number 3'],
    ['/workrequests', tvUse, 'uses.details.tv[0].ship', 'a boolean, found a string'],
    ['/files', { _id: 7 }, '_id', 'a string, found the number 7'],
    ['/files', { tags: 'a' }, 'tags', 'an array, found a string'],
    ['/files', { name: null }, 'name', 'a string, found null'],
    ['/translations', { created: '1e3' }, 'created', 'an integer, found a string'],
  ];
  return expectErrors(400, [
    ...mistakes.map(([path, body, field, reason]) => {
      const message = expect.stringContaining(`${field}: expected ${reason}`);
      return [`POST ${path}`, { body }, { code: 'wrong-type', field, message }] as const;
    }),
    ['POST /files', { body: '{"created":1e999}' }, { field: 'created' }],
  ]);
});

test.each(['application/json;charset="UTF-8"', 'APPLICATION/JSON'])(
  'a body of type %s is taken',
  async (type) => {
    const call = await loggedIn(await demoSandbox());
    const headers = { 'Content-Type': type };
    expect((await call('POST', '/files', { headers, body: '{}' })).status).toBe(200);
  },
);

test('a body of another type, or without a type, gets 415', () => {
  const types = ['text/plain', 'application/json; charset=latin1', 'application/jsonp'];
  return expectErrors(415, [
    ...types.map(
      (type) => ['POST /files', { headers: { 'Content-Type': type }, body: '{}' }] as const,
    ),
    ['POST /files', {}, { field: 'Content-Type' }],
  ]);
});

test('a body of 10 MiB is taken, one byte more gets 413', async () => {
  const call = await loggedIn(await demoSandbox());
  const frame = '{"_id":"f-big","text":""}';
  const fill = 'x'.repeat(10 * mebibyte - frame.length);
  const fits = await call('POST', '/files', { body: frame.replace('""', `"${fill}"`) });
  expect(fits.status).toBe(200);
  const over = await call('POST', '/files', { body: frame.replace('""', `"${fill}x"`) });
  expect(over.status).toBe(413);
  expect(over.json.error.code).toBe('too-large');
});

test('Expect: 100-continue is answered, and any other expectation gets 417', async () => {
  const call = await loggedIn(await demoSandbox());
  const expecting = (Expect: string) => call('POST', '/files', { headers: { Expect }, body: '{}' });
  expect((await expecting('100-continue')).status).toBe(200);
  expect((await expecting('tea')).status).toBe(417);
});

test('an unknown path gets 404', () => {
  const paths = ['nothing', 'assets/', 'assets/a/b', 'Assets/a-1001', 'files/f-1', '', 'session/'];
  const requests = paths.map((path) => [`GET /${path}`, {}, { code: 'not-found' }] as const);
  return expectErrors(404, requests);
});

test('paths outside of the base path do not exist', async () => {
  const sandbox = await demoSandbox();
  const root = { baseUrl: sandbox.baseUrl.replace(/\/api$/, '') };
  for (const path of ['/x', '/api', '/apiary/session', '/session', '/_sandbox', '/_sandbox/x']) {
    const { status, json } = await sendRequest(root, 'GET', path);
    expect(status).toBe(404);
    expect(json.error.code).toBe('not-found');
  }
});

test('a bad percent-encoding in the path gets 400', () =>
  expectErrors(400, [['GET /assets/%'], ['GET /assets/%zz'], ['GET /assets/%ff']]));

test('every path of the registry returns 405 for other methods and lists the allowed ones', async () => {
  const sandbox = await demoSandbox();
  const paths = new Map<string, Set<string>>();
  for (const { path, method } of Object.values(endpoints)) {
    paths.set(path, (paths.get(path) ?? new Set()).add(method));
  }
  for (const [path, allowed] of paths) {
    if (allowed.has('GET')) allowed.add('HEAD');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
      if (allowed.has(method)) continue;
      const reply = await sendRequest(sandbox, method, path.replace('{id}', 'some-id'));
      expect([method, path, reply.status]).toEqual([method, path, 405]);
      expect(new Set(reply.headers.allow?.split(', '))).toEqual(allowed);
    }
  }
});

test.each([
  ['evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost:80@evil.example', 403],
  ['192.168.0.1', 403],
  ['localhost', 401],
  ['LOCALHOST:1', 401],
  ['[::1]:99', 401],
])('a request for the host %s gets %i', async (Host, expected) => {
  const sandbox = await demoSandbox();
  const { status } = await sendRequest(sandbox, 'GET', '/session', { headers: { Host } });
  expect(status).toBe(expected);
});

test('every response is JSON, has its own request id and allows no other origin', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const replies = [
    await call('GET', '/assets/a-1001', { headers: { Origin: 'https://evil.example' } }),
    await call('GET', '/nothing'),
    await sendRequest(sandbox, 'GET', '/session'),
    await call('POST', '/files', { body: '{' }),
  ];
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
  for (const { headers } of replies) {
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('without valid credentials the body is not checked', async () => {
  const sandbox = await demoSandbox();
  const headers = { Authorization: basic(demo.email, 'token-none') };
  expect((await sendRequest(sandbox, 'POST', '/files', { headers, body: '{' })).status).toBe(401);
});
