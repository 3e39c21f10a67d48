import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { basic, demo, demoSandbox, loggedIn, removeTemplate, sendRequest } from './harness.ts';

afterAll(removeTemplate);

const mebibyte = 1024 * 1024;

test.each([
  ['{"a":1,}', /line 1, column 8/],
  ['{"a":\n  nope}', /line 2, column 3/],
  ['', /line 1, column 1/],
  ['{"a":1}{', /line 1, column 8/],
  ['{"a":1,"a":2}', /duplicate key/],
  ['\ufeff{}', /line 1, column 1/],
  [`${'['.repeat(100_000)}`, /nested deeper/],
  [`{"a":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`, /nested deeper/],
])('a body that is not JSON gets 400 and the place (%#)', async (body, message) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', '/workrequests', { body });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ code: 'bad-json', message: expect.stringMatching(message) });
});

test('a body that is not UTF-8 gets 400', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
  const { status, json } = await call('POST', '/files', { body });
  expect(status).toBe(400);
  expect(json.error.message).toContain('UTF-8');
});

test.each(['[]', '"text"', '7', 'null', 'true'])('the body %s is not a record', async (body) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', '/files', { body });
  expect(status).toBe(400);
  expect(json.error.code).toBe('wrong-type');
});

test.each([
  [
    '/workrequests',
    { due: { date: 'tomorrow' } },
    'due.date',
    'expected an integer, found a string',
  ],
  [
    '/workrequests',
    { due: { date: 1.5 } },
    'due.date',
    'expected an integer, found the number 1.5',
  ],
  [
    '/workrequests',
    { history: [{}, { user: 4 }] },
    'history[1].user',
    'expected an object, found the number 4',
  ],
  ['/workrequests', { asset: { name: 3 } }, 'asset.name', 'expected a string, found the number 3'],
  ['/workrequests', { asset: 3 }, 'asset', 'expected a string or an object, found the number 3'],
  [
    '/workrequests',
    { uses: { details: { tv: [{ ship: 'no' }] } } },
    'uses.details.tv[0].ship',
    'expected a boolean, found a string',
  ],
  ['/files', { _id: 7 }, '_id', 'expected a string, found the number 7'],
  ['/files', { tags: 'a' }, 'tags', 'expected an array, found a string'],
  ['/files', { name: null }, 'name', 'expected a string, found null'],
  ['/translations', { created: '1e3' }, 'created', 'expected an integer, found a string'],
])('POST %s of %j names the field of the wrong type', async (path, body, field, reason) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', path, { body });
  expect(status).toBe(400);
  expect(json.error).toEqual({ code: 'wrong-type', field, message: `${field}: ${reason}` });
});

test('a number beyond all floating point is rejected where an integer belongs', async () => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', '/files', { body: '{"created":1e999}' });
  expect(status).toBe(400);
  expect(json.error.field).toBe('created');
});

test.each([
  ['text/plain', 415],
  ['application/json; charset=latin1', 415],
  ['application/jsonp', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset="UTF-8"', 200],
  ['APPLICATION/JSON', 200],
])('a body of type %s gets %i', async (type, expected) => {
  const call = await loggedIn(await demoSandbox());
  const { status } = await call('POST', '/files', {
    headers: { 'Content-Type': type },
    body: '{}',
  });
  expect(status).toBe(expected);
});

test('a body without a type, or compressed, gets 415', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const none = await call('POST', '/files');
  expect([none.status, none.json.error.field]).toEqual([415, 'Content-Type']);
  const zipped = await call('POST', '/files', {
    headers: { 'Content-Encoding': 'gzip' },
    body: '{}',
  });
  expect([zipped.status, zipped.json.error.field]).toEqual([415, 'Content-Encoding']);
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

test('a client that sends a much too large body can read the response', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = Buffer.alloc(64 * mebibyte, 'x');
  const announced = await call('POST', '/files', { body });
  expect(announced.status).toBe(413);
  const chunked = await call('POST', '/files', {
    headers: { 'Transfer-Encoding': 'chunked' },
    body,
  });
  expect(chunked.status).toBe(413);
});

test('Expect: 100-continue is answered, and any other expectation gets 417', async () => {
  const call = await loggedIn(await demoSandbox());
  const expecting = (Expect: string) => call('POST', '/files', { headers: { Expect }, body: '{}' });
  expect((await expecting('100-continue')).status).toBe(200);
  expect((await expecting('tea')).status).toBe(417);
});

test.each([
  '/nothing',
  '/assets/',
  '/assets/a/b',
  '/Assets/a-1001',
  '/files/f-1',
  '/',
  '/session/',
])('the unknown path %s gets 404', async (path) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('GET', path);
  expect(status).toBe(404);
  expect(json.error.code).toBe('not-found');
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

test('a bad percent-encoding in the path gets 400', async () => {
  const call = await loggedIn(await demoSandbox());
  for (const path of ['/assets/%', '/assets/%zz', '/assets/%ff']) {
    expect((await call('GET', path)).status).toBe(400);
  }
});

test('every path of the registry returns 405 for other methods and lists the allowed ones', async () => {
  const sandbox = await demoSandbox();
  const paths = new Map<string, Set<string>>();
  for (const { path, method } of Object.values(endpoints)) {
    paths.set(path, (paths.get(path) ?? new Set()).add(method));
  }
  for (const [path, allowed] of paths) {
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
