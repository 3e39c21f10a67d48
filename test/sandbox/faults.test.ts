import { expect, onTestFinished, test, vi } from 'vitest';
import { Faults } from '../../src/sandbox/faults/faults.ts';
import { basic, demo, demoSandbox, loggedIn, sendRaw, tokenOf } from './harness.ts';

/** A sandbox with these faults, and a logged-in client. Logging in is not broken by them. */
async function broken(...faults: string[]) {
  const sandbox = await demoSandbox({ faults: { faults, seed: 7 } });
  return { sandbox, call: await loggedIn(sandbox) };
}

const created = { _id: 'f-new', name: 'New' };

/** The raw response to a GET of an asset, until the connection ends. */
async function rawGet(sandbox: Awaited<ReturnType<typeof demoSandbox>>): Promise<string> {
  const authorization = basic(demo.email, `token-${await tokenOf(sandbox)}`);
  const head = `GET /api/assets/a-1001 HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}`;
  return sendRaw(sandbox, `${head}\r\nConnection: close\r\n\r\n`);
}

test('a status fault responds without touching the records, with or without Retry-After', async () => {
  const { call } = await broken('POST /files 503', 'GET /files/_slug 429 retry-after=2');
  const posted = await call('POST', '/files', { body: created });
  expect(posted.status).toBe(503);
  expect(posted.headers).not.toHaveProperty('retry-after');
  const message = expect.stringContaining('fault POST /files 503');
  expect(posted.json.error).toEqual({ code: 'fault', message });
  const list = await call('GET', '/files/_slug', { headers: { 'X-Range': 'resources=0-999' } });
  expect([list.status, list.headers['retry-after']]).toEqual([429, '2']);
  expect((await call('GET', '/downloads')).status).toBe(200);
});

test('latency delays the response, and adds up with other faults', async () => {
  const { call } = await broken('* * latency=120ms', 'GET /assets/* 500 latency=60ms');
  const started = performance.now();
  expect((await call('GET', '/assets/a-1001')).status).toBe(500);
  expect(performance.now() - started).toBeGreaterThanOrEqual(175);
});

test('hang never responds, until the client gives up', async () => {
  const { sandbox } = await broken('GET /assets/* hang');
  const client = new AbortController();
  const waiting = fetch(`${sandbox.baseUrl}/assets/a-1001`, { signal: client.signal });
  const aborted = expect(waiting).rejects.toThrow(/abort/);
  await expect
    .poll(async () => (await control(sandbox)).requests.at(-1)?.note)
    .toBe('fault GET /assets/* hang');
  client.abort();
  await aborted;
});

test.each([
  ['reset', []],
  ['reset-after', [{ kind: 'File', id: 'f-new', before: null }]],
])('%s ends the connection before or after the record is written', async (fault, changes) => {
  const { sandbox, call } = await broken(`POST /files ${fault}`);
  await expect(call('POST', '/files', { body: created })).rejects.toThrow('ECONNRESET');
  const list = await call('GET', '/files/_slug', { headers: { 'X-Range': 'resources=0-999' } });
  const written = list.json.filter(({ _id }: { _id: string }) => _id === 'f-new');
  expect(written).toHaveLength(changes.length);
  const { requests } = await control(sandbox, '?path=/files&status=none');
  expect(requests[0].changes).toMatchObject(changes);
});

test('cut sends half of the body that the headers announce', async () => {
  const { sandbox, call } = await broken('GET /assets/* cut every=2');
  const { text } = await call('GET', '/assets/a-1001');
  const [head = '', body = ''] = (await rawGet(sandbox)).split('\r\n\r\n');
  const size = Buffer.byteLength(text.replaceAll(/127\.0\.0\.1:\d+/g, 'localhost'));
  expect(head).toContain(`Content-Length: ${size}`);
  expect(Buffer.byteLength(body)).toBe(Math.floor(size / 2));
});

test('type sends the record with another content type', async () => {
  const { call } = await broken('GET /assets/* type=text/html');
  const { status, headers, json } = await call('GET', '/assets/a-1001');
  expect([status, headers['content-type'], json._id]).toEqual([200, 'text/html', 'a-1001']);
});

test('drip sends the body in pieces over the time', async () => {
  const { sandbox } = await broken('GET /assets/* drip=300ms');
  const started = performance.now();
  const response = await rawGet(sandbox);
  expect(performance.now() - started).toBeGreaterThanOrEqual(290);
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ _id: 'a-1001' });
});

test('every=3 is every third matching request, and other requests do not count', () => {
  const faults = new Faults({ faults: ['GET /assets/* 500 every=3'] });
  const plan = (method: string, path: string) => faults.plan(method, path)?.effect?.kind ?? '-';
  const paths = ['/assets/a', '/files', '/assets/b', '/assets', '/assets/c', '/assets/d'];
  expect(paths.map((path) => plan('GET', path))).toEqual(['-', '-', '-', '-', 'status', '-']);
  expect(plan('PUT', '/assets/e')).toBe('-');
  expect(faults.state().faults).toMatchObject([{ matched: 4, applied: 1 }]);
});

test('a share fails about that many requests, the same ones with the same seed', () => {
  const outcomes = (seed: number) => {
    const faults = new Faults({ faults: ['* * 503 5%'], seed });
    return Array.from({ length: 4000 }, () => (faults.plan('GET', '/x') ? 1 : 0));
  };
  const count = outcomes(1).reduce<number>((sum, one) => sum + one, 0);
  expect(count).toBeGreaterThan(150);
  expect(count).toBeLessThan(250);
  expect(outcomes(1)).toEqual(outcomes(1));
  expect(outcomes(2)).not.toEqual(outcomes(1));
});

test('the first fault that applies decides the response', () => {
  const faults = new Faults({
    faults: ['GET /downloads 500', 'GET * 404', '* /api/downloads latency=1s'],
  });
  expect(faults.plan('GET', '/downloads')).toEqual({
    delayMs: 1000,
    effect: { kind: 'status', status: 500 },
    reason: 'fault GET /downloads 500, * /api/downloads latency=1s',
  });
});

test('a rate limit gives 429 with Retry-After once it is used up', async () => {
  const call = await loggedIn(await demoSandbox({ faults: { rateLimit: '2/h' } }));
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  const { status, headers, json } = await call('GET', '/assets/a-1001');
  expect([status, json.error.code]).toEqual([429, 'rate-limited']);
  // Half an hour, less what a busy machine needs for two requests.
  expect(headers['retry-after']).toMatch(/^1(?:800|7\d\d)$/);
});

test('a rate limit recovers with time', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const faults = new Faults({ rateLimit: '2/s' });
  const isLimited = () => faults.plan('GET', '/assets/a') !== undefined;
  expect([isLimited(), isLimited(), isLimited()]).toEqual([false, false, true]);
  clock.mockReturnValue(500);
  expect([isLimited(), isLimited()]).toEqual([false, true]);
});

test.each([
  ['', '"" is not a method or *'],
  ['POST', 'the path is missing'],
  ['POST workrequests 503', 'the path "workrequests" must start with / or *'],
  ['GET /assets 503', 'the API has no GET /assets (did you mean GET /assets/*?)'],
  ['GET /workrequest/{id} 503', 'the API has no GET /workrequest/{id} (did you mean GET /workr'],
  ['* /Downloads 503', 'the API has no * /Downloads (did you mean * /downloads?)'],
  ['GET /assets/a-1/x 503', 'the API has no GET /assets/a-1/x; it has GET /assets/*, PUT /assets'],
  ['DELETE /assets/* 503', 'the API has no DELETE /assets/*; it has GET /assets/*, PUT /assets'],
  ['GET /downloads?q=x 503', 'the API has no GET /downloads?q=x'],
  ['GET /nothing 503', 'the API has no GET /nothing; it has GET /session, DELETE /session'],
  ['POST /files', 'the kind of the fault is missing'],
  ['POST /files 5%', 'the kind of the fault is missing'],
  ['POST /files 200', '200 is not a status from 400 to 599'],
  ['POST /files 600', '600 is not a status from 400 to 599'],
  ['POST /files 503 502', 'a fault has only one kind, and "502" is a second one'],
  ['POST /files 503 0%', '0% is not a valid percentage'],
  ['POST /files 503 5% every=2', 'a fault has only one rate, and "every=2" is a second one'],
  ['POST /files 503 every=0', 'every must be a whole number from 1'],
  ['POST /files latency=5', 'latency must be a duration'],
  ['POST /files hang=3', '"hang=3" is not a kind of fault'],
  ['POST /files explode', '"explode" is not a kind of fault'],
  ['POST /files type=html', 'type must be a media type'],
  ['POST /files hang retry-after=3', 'retry-after needs a status'],
  ['POST /files 429 retry-after=soon', 'retry-after must be a number of seconds'],
])('the fault "%s" is rejected with its reason', (fault, reason) => {
  const start = () => new Faults({ faults: [fault] });
  expect(start).toThrow(`--fault "${fault}": ${reason}`);
});

test.each([
  ['GET /assets/{id} 503', 'GET', '/assets/a-1001'],
  ['PUT /api/offlines/{id} 503', 'PUT', '/offlines/o-1'],
  ['GET /assets/a-* 503', 'GET', '/assets/a-1001'],
  ['GET /assets* 503', 'GET', '/assets/a-1001'],
  ['GET */workflowNotify 503', 'GET', '/assets/workflowNotify'],
  ['* *quests 503', 'POST', '/workrequests'],
  ['GET ** 503', 'GET', '/downloads'],
])('the fault "%s" applies to %s %s', (fault, method, path) => {
  const faults = new Faults({ faults: [fault] });
  expect(faults.plan(method, path)?.reason).toBe(`fault ${fault}`);
});

test.each(['20', '0/s', '20/day', '-1/s', 'fast'])('the rate limit "%s" is rejected', (limit) => {
  const start = () => new Faults({ rateLimit: limit });
  expect(start).toThrow(new RegExp(`^--rate-limit .*"${limit}"`));
});

test('a path with many stars does not take forever', () => {
  const faults = new Faults({ faults: [`GET /assets/${'*a'.repeat(60)} 500`] });
  expect(faults.plan('GET', `/assets/${'a/'.repeat(5000)}b`)).toBeUndefined();
});

async function control({ baseUrl }: { baseUrl: string }, query = '') {
  const response = await fetch(`${new URL(baseUrl).origin}/_sandbox/requests${query}`);
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape.
  return (await response.json()) as any;
}
