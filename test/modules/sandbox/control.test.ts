import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { RequestLog } from '../../../src/modules/sandbox/log/requestLog.ts';
import type { Sandbox } from '../../../src/modules/sandbox/start.ts';
import { basic, demo, demoSandbox, loggedIn, portOf, sendRequest, tokenOf } from './harness.ts';

const root = ({ baseUrl }: Sandbox) => ({ baseUrl: new URL(baseUrl).origin });

const control = (sandbox: Sandbox, method: string, path: string, body?: object) =>
  sendRequest(root(sandbox), method, `/_sandbox${path}`, { body });

test('requests are listed with headers, bodies and who sent them, and without secrets', async () => {
  const sandbox = await demoSandbox();
  const token = await tokenOf(sandbox);
  const headers = { Authorization: basic(demo.email, `token-${token}`), 'X-Custom': `my ${token}` };
  await sendRequest(sandbox, 'POST', '/files', { headers, body: { _id: 'f-1', note: token } });
  await sendRequest(sandbox, 'GET', `/downloads?q=harbor&token=${token}`, { headers });
  const secret = { headers, body: { password: 'correct-horse' } };
  await sendRequest(sandbox, 'PUT', '/session/u-ines', secret);
  const { text, json } = await control(sandbox, 'GET', '/requests');
  const encoded = Buffer.from(token).toString('base64').slice(2, -4);
  for (const hidden of [token, demo.password, 'correct-horse', headers.Authorization, encoded]) {
    expect(text).not.toContain(hidden);
  }
  const [login, posted, listed] = json.requests;
  expect(login).toMatchObject({ method: 'GET', path: '/api/session', user: demo.email });
  expect(login.response.body).toBe(`{"token":"[redacted]","email":"${demo.email}"}`);
  expect(posted).toMatchObject({ id: 2, method: 'POST', status: 200, path: '/api/files' });
  expect(posted.request.headers).toContainEqual(['X-Custom', 'my [redacted]']);
  expect(posted.request.headers).toContainEqual(['Authorization', '[redacted]']);
  expect(JSON.parse(posted.request.body)).toEqual({ _id: 'f-1', note: '[redacted]' });
  expect(JSON.parse(posted.response.body)).toMatchObject({ _id: 'f-1' });
  expect(listed.path).toBe('/api/downloads?q=harbor&token=[redacted]');
});

test('the log keeps the newest requests in its space', () => {
  const log = new RequestLog({ entries: 3, length: 100_000 });
  const add = (length: number) => {
    const request = { method: 'PUT', headers: {}, rawHeaders: [] };
    log.start(request, '/api/files')({ body: Buffer.alloc(length, 'x') });
    return log.since(0).map(({ id }) => id);
  };
  expect([1, 1, 1, 1].map(add).at(-1)).toEqual([2, 3, 4]);
  expect(add(90_000)).toEqual([3, 4, 5]);
  expect(add(20_000)).toEqual([6]);
  expect(add(120_000)).toEqual([7]);
  const { body, bodyBytes } = log.get(7)?.request ?? {};
  expect([body?.length, bodyBytes]).toEqual([96 * 1024, 120_000]);
  expect(log.since(6)).toMatchObject([{ id: 7 }]);
  log.clear();
  expect(log.since(0)).toEqual([]);
});

test('reset brings back the records and faults of the start, and keeps the login', async () => {
  const sandbox = await demoSandbox({ downloads: 3, faults: ['/downloads 500'] });
  const call = await loggedIn(sandbox);
  await call('PUT', '/assets', { body: { _id: 'a-1001', name: 'changed' } });
  await control(sandbox, 'PUT', '/faults', { faults: ['/assets/* 503'] });
  const { json, status } = await control(sandbox, 'POST', '/reset', {});
  expect([status, json]).toEqual([200, { reset: true }]);
  const { json: log } = await control(sandbox, 'GET', '/requests');
  expect(log).toEqual({ requests: [] });
  expect((await call('GET', '/assets/a-1001')).json.name).toBe('The Harbor Light – Trailer A');
  const { json: created } = await call('POST', '/workrequests', { body: { asset: 'a-1001' } });
  expect(created.asset.name).toBe('The Harbor Light – Trailer A');
  expect((await call('GET', '/downloads')).status).toBe(500);
  const { json: records } = await control(sandbox, 'GET', '/records');
  expect(records.kinds).toMatchObject({ Download: 3 });
});

test('faults are read and replaced; an invalid one changes nothing', async () => {
  const sandbox = await demoSandbox({ faults: ['/assets/* 503'] });
  const call = await loggedIn(sandbox);
  expect((await call('GET', '/assets/a-1001')).status).toBe(503);
  const first = { fault: '/assets/* 503', matched: 1, applied: 1 };
  expect((await control(sandbox, 'GET', '/faults')).json).toEqual({ faults: [first] });
  const kept = await control(sandbox, 'PUT', '/faults', {
    faults: ['/downloads 500', first.fault],
  });
  const second = { fault: '/downloads 500', matched: 0, applied: 0 };
  expect(kept.json).toEqual({ faults: [second, { ...first, matched: 0, applied: 0 }] });
  const invalid = [
    [{ faults: ['* 500', '* 5000'] }, 'faults "* 5000": 5000 '],
    [{ faults: '* 500' }, 'faults must be an array'],
    [{ fault: [] }, 'faults must be an array'],
  ] as const;
  for (const [body, message] of invalid) {
    const { status, json } = await control(sandbox, 'PUT', '/faults', body);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)]);
  }
  await control(sandbox, 'PUT', '/faults', { faults: [second.fault] });
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  expect((await call('GET', '/downloads')).status).toBe(500);
});

test('records are listed by kind and searched; accounts are listed without secrets', async () => {
  const sandbox = await demoSandbox();
  const { json: all } = await control(sandbox, 'GET', '/records');
  expect(all.kinds).toMatchObject({ Asset: 12, Download: 300 });
  const { json: found } = await control(sandbox, 'GET', '/records/Asset?q=HARBOR%20LIGHT');
  expect(found.records.map(({ id }: { id: string }) => id)).toContain('a-1001');
  expect(found.total).toBeLessThan(12);
  expect((await control(sandbox, 'GET', '/records/Nothing')).status).toBe(404);
  expect((await control(sandbox, 'GET', '/records/Asset/none')).status).toBe(404);
  const { text, json } = await control(sandbox, 'GET', '/accounts');
  const account = { userId: 'u-ines', email: demo.email, tokens: 0 };
  expect(json.accounts).toContainEqual(expect.objectContaining(account));
  expect(text).not.toMatch(/scrypt|password/);
});

test('a record is changed as somebody else, and only in the version that was read', async () => {
  const sandbox = await demoSandbox();
  const path = '/records/WorkRequest/wr-2001';
  const read = async () => (await control(sandbox, 'GET', path)).json;
  const { text, version } = await read();
  const edited = text.replace('"status":"in-progress"', '"status":"complete"');
  const save = (body: object) => control(sandbox, 'PUT', path, body);
  const saved = await save({ text: edited, version, as: 'u-marc' });
  expect([saved.status, saved.json]).toMatchObject([200, { by: 'u-marc' }]);
  const now = await read();
  const { status, history } = JSON.parse(now.text);
  expect(status).toBe('complete');
  expect(history.at(-1)).toMatchObject({ user: { _id: 'u-marc' }, status: 'complete' });
  expect((await save({ text, version })).status).toBe(412);
  const invalid = [
    [{ text: '{' }, 'not valid JSON'],
    [{ text: '[]' }, 'JSON object'],
    [{ text: '{"_id":"wr-1"}' }, '_id is wr-1'],
    [{ text, as: 'nobody' }, 'no user "nobody"'],
    [{}, 'not valid JSON'],
  ] as const;
  for (const [fields, message] of invalid) {
    const refused = await save({ ...fields, version: now.version });
    expect(refused.status).toBe(400);
    expect(refused.json.error.message).toContain(message);
  }
  expect(await read()).toEqual(now);
  const body = { text, version };
  for (const missing of ['/records/WorkRequest/none', '/records/Nothing/x', '/records']) {
    expect((await control(sandbox, 'PUT', missing, body)).status).toBe(404);
  }
});

test('hidden values stay as they are when a record is changed', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  for (const [kind, id, address] of [
    ['Asset', 'a-1001', '/assets/a-1001'],
    ['WorkRequest', 'wr-2001', '/workrequests/wr-2001'],
    ['User', 'u-ines', '/session'],
  ]) {
    const stored = async () => (await call('GET', `${address}`)).json;
    const before = await stored();
    const path = `/records/${kind}/${id}`;
    const { text, version } = (await control(sandbox, 'GET', path)).json;
    expect(text).toContain('[redacted]');
    const edited = text.replace('{', '{"extra":1,');
    expect((await control(sandbox, 'PUT', path, { text: edited, version })).status).toBe(200);
    const after = await stored();
    expect(JSON.stringify(after)).toContain('"extra":1');
    expect(after).toMatchObject(before);
  }
  // The password still works.
  await tokenOf(sandbox);
});

test('a hidden value that belongs to nothing is not stored', async () => {
  const sandbox = await demoSandbox();
  const path = '/records/Event/e-4001';
  const { text, version } = (await control(sandbox, 'GET', path)).json;
  const edited = JSON.stringify({ ...JSON.parse(text), password: '[redacted]' });
  const { status, json } = await control(sandbox, 'PUT', path, { text: edited, version });
  expect(status).toBe(400);
  expect(json.error.message).toContain('[redacted]');
});

test('the page gets what is new, and learns of a reset', async () => {
  const sandbox = await demoSandbox();
  const news = async (since: number) =>
    (await control(sandbox, 'GET', `/news?since=${since}`)).json;
  const first = await news(0);
  expect(first).toMatchObject({ requests: [], next: 0, faults: [] });
  const call = await loggedIn(sandbox);
  await control(sandbox, 'PUT', '/faults', { faults: ['* 500'] });
  const second = await news(first.next);
  expect(second.requests).toMatchObject([{ id: 1, method: 'GET', path: '/api/session' }]);
  expect(second.faults).toHaveLength(1);
  await call('GET', '/assets/a-1001');
  const third = await news(second.next);
  expect(third.requests).toMatchObject([{ id: 2 }]);
  expect(third.epoch).toBe(first.epoch);
  await control(sandbox, 'POST', '/reset', {});
  const last = await news(third.next);
  expect(last).toMatchObject({ requests: [], faults: [] });
  expect(last.epoch).not.toBe(first.epoch);
});

/** Everything that a web page can make a browser send here. */
const names = ['requests', 'faults', 'records', 'news', 'page.js'];
const controlPaths = ['/', ...names.map((name) => `/_sandbox/${name}`)];
const writes = [
  ['POST', '/_sandbox/reset'],
  ['PUT', '/_sandbox/faults'],
  ['PUT', '/_sandbox/records/Asset/a-1001'],
] as const;

/** The status of a request, without waiting for its body. */
function statusOf(sandbox: Sandbox, method: string, path: string, headers: object) {
  return new Promise<number>((resolve, reject) => {
    const options = { port: portOf(sandbox), method, path, agent: false, headers: { ...headers } };
    const sent = httpRequest(options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('under any other host name or port, the page and its API are forbidden (DNS rebinding)', async () => {
  const sandbox = await demoSandbox();
  const port = portOf(sandbox);
  const names = ['evil.example', '127.0.0.1.evil.example', 'evil.example@127.0.0.1'];
  const wrong = ['127.0.0.1', `127.0.0.1:${port + 1}`, ...names.map((name) => `${name}:${port}`)];
  for (const target of controlPaths) {
    for (const Host of wrong) {
      expect(await statusOf(sandbox, 'GET', target, { Host }), `${target} at ${Host}`).toBe(403);
    }
    const absolute = `http://evil.example:${port}${target}`;
    expect(await statusOf(sandbox, 'GET', absolute, {})).toBe(403);
    for (const Host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect(await statusOf(sandbox, 'GET', target, { Host })).toBe(200);
    }
  }
});

test('another web page can neither read nor drive the sandbox', async () => {
  const sandbox = await demoSandbox();
  const { origin } = new URL(sandbox.baseUrl);
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:3000' },
    { Origin: `${origin}.evil.example` },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
  ];
  for (const headers of foreign) {
    const json = { ...headers, 'Content-Type': 'application/json' };
    for (const target of controlPaths) {
      expect(await statusOf(sandbox, 'GET', target, headers)).toBe(403);
    }
    for (const [method, path] of writes) {
      expect(await statusOf(sandbox, method, path, json)).toBe(403);
    }
  }
  // A form or a script without preflight cannot send JSON, and a preflight fails.
  for (const [method, path] of writes) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect(await statusOf(sandbox, method, path, { 'Content-Type': type })).toBe(415);
    }
    expect(await statusOf(sandbox, 'OPTIONS', path, {})).toBe(404);
  }
  const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const opened = { ...link, 'Sec-Fetch-Dest': 'document' };
  expect(await statusOf(sandbox, 'GET', '/', opened)).toBe(200);
  expect(await statusOf(sandbox, 'GET', '/_sandbox/requests', opened)).toBe(403);
  const same = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
  const own = { ...same, Host: new URL(origin).host, Origin: origin };
  expect(await statusOf(sandbox, 'GET', '/_sandbox/requests', own)).toBe(200);
});

test('the page and its API cannot be framed or read across origins, and run no foreign code', async () => {
  const sandbox = await demoSandbox();
  for (const path of ['/', '/_sandbox/requests', '/_sandbox/page.js', '/_sandbox/style.css']) {
    const response = await fetch(`${root(sandbox).baseUrl}${path}`);
    const { headers } = response;
    expect(response.status).toBe(200);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http/);
    await response.arrayBuffer();
  }
});

test('HEAD works where GET does, with the same headers and no body', async () => {
  const sandbox = await demoSandbox();
  const headers = { Authorization: basic(demo.email, `token-${await tokenOf(sandbox)}`) };
  const paths = ['/api/assets/a-1001', '/api/files/_slug', '/api/assets/none', '/'];
  for (const path of [...paths, '/_sandbox/page.js', '/_sandbox/faults']) {
    const ask = (method: string) => fetch(new URL(path, sandbox.baseUrl), { method, headers });
    const [get, head] = [await ask('GET'), await ask('HEAD')];
    expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'x-total-count']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    await get.arrayBuffer();
  }
});

test('wrong methods are refused', async () => {
  const sandbox = await demoSandbox();
  const wrong = [
    ['GET', '/reset'],
    ['DELETE', '/faults'],
    ['DELETE', '/records/Asset/a-1001'],
    ['POST', '/news'],
    ['POST', '/page.js'],
  ] as const;
  for (const [method, path] of wrong) {
    expect([path, (await control(sandbox, method, path)).status]).toEqual([path, 404]);
  }
});
