import { expect, onTestFinished, test, vi } from 'vitest';
import { Faults } from '../../../src/modules/sandbox/faults/faults.ts';
import { demoSandbox, loggedIn } from './harness.ts';

/** A sandbox with these faults, and a logged-in client. */
async function broken(...faults: string[]) {
  const sandbox = await demoSandbox({ faults });
  return { sandbox, call: await loggedIn(sandbox) };
}

const created = { _id: 'f-new', name: 'New' };
const everything = { headers: { 'X-Range': 'resources=0-999' } };

test('a status is the response, and nothing is written', async () => {
  const { call } = await broken('/files 503');
  const posted = await call('POST', '/files', { body: created });
  expect(posted.status).toBe(503);
  expect(posted.headers).not.toHaveProperty('retry-after');
  const message = expect.stringContaining('fault /files 503');
  expect(posted.json.error).toEqual({ code: 'fault', message });
  const list = await call('GET', '/files/_slug', everything);
  expect(list.status).toBe(200);
  expect(list.text).not.toContain('f-new');
});

test('a delay makes the response late', async () => {
  const { call } = await broken('/assets/* 120ms');
  const started = performance.now();
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThanOrEqual(115);
});

test('a delay ends when the client gives up', async () => {
  const { sandbox } = await broken('/assets/* 1h');
  const client = new AbortController();
  const waiting = fetch(`${sandbox.baseUrl}/assets/a-1001`, { signal: client.signal });
  const aborted = expect(waiting).rejects.toThrow(/abort/);
  await expect.poll(() => matched(sandbox)).toBe(1);
  client.abort();
  await aborted;
  await expect
    .poll(async () => (await lastRequest(sandbox))?.note)
    .toBe('fault /assets/* 1h, and the client disconnected');
});

test('a reset cuts the connection after the record is written', async () => {
  const { sandbox, call } = await broken('/files reset');
  await expect(call('POST', '/files', { body: created })).rejects.toThrow('ECONNRESET');
  expect(await lastRequest(sandbox)).toMatchObject({ method: 'POST', response: null });
  expect((await call('GET', '/files/_slug', everything)).text).toContain('f-new');
});

test('a rate limit gives 429 with Retry-After once it is used up', async () => {
  const { call } = await broken('/assets/* 1/h');
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  const { status, headers, json } = await call('GET', '/assets/a-1001');
  expect([status, json.error.code]).toEqual([429, 'rate-limited']);
  // An hour, less what a busy machine needs for a request.
  expect(headers['retry-after']).toMatch(/^3(?:600|5\d\d)$/);
  expect((await call('GET', '/downloads')).status).toBe(200);
});

test('a rate limit recovers with time', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const faults = new Faults(['* 2/s']);
  const isLimited = () => faults.plan('/assets/a') !== undefined;
  expect([isLimited(), isLimited(), isLimited()]).toEqual([false, false, true]);
  clock.mockReturnValue(500);
  expect([isLimited(), isLimited()]).toEqual([false, true]);
});

test.each([
  ['503', '25%', [0, 0, 0, 1, 0, 0, 0, 1]],
  ['500ms', '75%', [0, 1, 1, 1, 0, 1, 1, 1]],
  ['reset', '12.5%', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['1/h', '50%', [0, 0, 0, 1, 0, 1, 0, 1]],
])('%s for %s of the requests of a path', (kind, share, outcomes) => {
  const faults = new Faults([`/assets/* ${kind} ${share}`]);
  const planned = outcomes.map((_, at) => {
    expect(faults.plan('/downloads')).toBeUndefined();
    return faults.plan(`/assets/a-${at}`) ? 1 : 0;
  });
  expect(planned).toEqual(outcomes);
  const applied = outcomes.filter(Boolean).length;
  expect(faults.state().faults).toMatchObject([{ matched: 8, applied }]);
});

test('the first fault that applies decides', () => {
  const faults = new Faults(['* 404 50%', '/api/downloads 500', '* 1s']);
  const plans = ['/downloads', '/downloads', '/session'].map((path) => faults.plan(path)?.effect);
  expect(plans).toEqual([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 404 },
    { kind: 'delay', ms: 1000 },
  ]);
});

test.each([
  ['', 'the path "" must start with / or *'],
  ['workrequests 503', 'the path "workrequests" must start with / or *'],
  ['POST /workrequests 503', 'the path "POST" must start with / or *'],
  ['/asset 503', 'the API has no /asset; it has '],
  ['/workrequest/{id} 503', 'the API has no /workrequest/{id}; it has '],
  ['/Downloads 503', 'the API has no /Downloads; it has '],
  ['/nothing 503', 'the API has no /nothing; it has /session, '],
  ['/files', 'the kind of the fault is missing'],
  ['/files 5%', '"5%" is not a kind of fault'],
  ['/files 200', '200 is not a status from 400 to 599'],
  ['/files 600', '600 is not a status from 400 to 599'],
  ['/files 0s', 'the delay must be longer than 0s'],
  ['/files 0/s', '"0/s" is not a kind of fault'],
  ['/files 20/day', '"20/day" is not a kind of fault'],
  ['/files 5days', 'the delay must be a duration'],
  ['/files explode', '"explode" is not a kind of fault'],
  ['/files 503 0%', '"0%" is not a share'],
  ['/files 503 101%', '"101%" is not a share'],
  ['/files 503 502', '"502" is not a share'],
  ['/files 503 5% 5%', 'unexpected "5%"'],
])('the fault "%s" is rejected with its reason', (fault, reason) => {
  expect(() => new Faults([fault])).toThrow(`--fault "${fault}": ${reason}`);
});

test.each([
  ['/assets/{id} 503', '/assets/a-1001'],
  ['/api/offlines/{id} 599', '/offlines/o-1'],
  ['/assets/a-* 503', '/assets/a-1001'],
  ['/assets* 503', '/assets/a-1001'],
  ['*/workflowNotify 503', '/assets/workflowNotify'],
  ['** 400', '/downloads'],
])('the fault "%s" applies to %s', (fault, path) => {
  expect(new Faults([fault]).plan(path)?.reason).toBe(`fault ${fault}`);
});

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape.
async function control({ baseUrl }: { baseUrl: string }, name: string): Promise<any> {
  return (await fetch(`${new URL(baseUrl).origin}/_sandbox/${name}`)).json();
}

const matched = async (sandbox: { baseUrl: string }) =>
  (await control(sandbox, 'faults')).faults[0].matched;

const lastRequest = async (sandbox: { baseUrl: string }) =>
  (await control(sandbox, 'requests')).requests.at(-1);
