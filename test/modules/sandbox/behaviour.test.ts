import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../harness/mar.ts';
import { otherService } from '../../harness/otherService.ts';
import { type Caller, demoSandbox, loggedIn, removeTemplate, sendRequest } from './harness.ts';

afterAll(removeTemplate);

type Settings = Readonly<Record<string, string>>;

/** A sandbox that behaves like this, with new data. */
const behaving = (settings: Settings, faults: string[] = []) =>
  demoSandbox({
    dataDir: temporaryFolder(),
    downloads: 25,
    service: { file: 'service.json', settings },
    faults,
  });

const other = async (settings: Settings = otherService.settings): Promise<Caller> =>
  loggedIn(await behaving(settings));

const read = async (call: Caller, path: string) => (await call('GET', path)).json;

test.each([
  ['/assets', '/assets/a-1001', { _id: 'a-1001', name: 'New' }],
  ['/session/u-marc', '/session', { name: 'New' }],
  ['/offlines/o-6001', undefined, { label: 'New' }],
])('PUT %s keeps what its body lacks, if the service does', async (path, readPath, body) => {
  const call = await other();
  const find = async () => {
    const found = readPath ? await read(call, readPath) : {};
    return Array.isArray(found) ? found.find(({ _id }) => _id === 'u-marc') : found;
  };
  const before = await find();
  const { status, json } = await call('PUT', path, { body });
  expect(status).toBe(200);
  expect(json).toEqual({ ...(readPath ? before : json), ...body });
  expect(Object.keys(json).length).toBeGreaterThan(4);
  if (readPath) expect(await find()).toEqual(json);
});

test('without a description, a PUT replaces the record', async () => {
  const call = await other({});
  const body = { _id: 'a-1001', name: 'New' };
  expect((await call('PUT', '/assets', { body })).json).toEqual(body);
});

test('a translation has the statuses of the service, when it is new and when it is submitted', async () => {
  const call = await other({ 'translation.first-status': 'new', 'translation.submitted': 'sent' });
  const order = { asset: { _id: 'a-1001' }, language: 'fra' };
  const { json: created } = await call('POST', '/workrequests', { body: order });
  expect(created).toMatchObject({ translation: { status: 'new' } });
  const body = { workRequest: created._id, asset: 'a-1001', language: 'fra' };
  expect((await call('POST', '/translations', { body })).json).toMatchObject({ status: 'sent' });
  const after = await read(call, `/workrequests/${created._id}`);
  expect(after).toMatchObject({ translation: { status: 'sent' } });
});

/** All values of the fields where the API has times. */
function timesIn(value: unknown, name = ''): number[] {
  if (Array.isArray(value)) return value.flatMap((one) => timesIn(one, name));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => timesIn(one, key));
  }
  const isTime = ['created', 'date', 'uploadDate', 'end', 'added'].includes(name);
  return isTime && typeof value === 'number' ? [value] : [];
}

const paths = [
  ...['/assets/a-1001', '/workrequests/wr-2002', '/notifications/n-3001'],
  ...['/files/_slug', '/downloads', '/assets/workflowNotify'],
];

test.each([
  ['s', 1],
  ['ms', 1e3],
  ['us', 1e6],
])('times in %s are in the demo data, and in what the sandbox makes', async (unit, perSecond) => {
  const call = await other({ 'time.unit': unit });
  const found = await Promise.all(paths.map((path) => read(call, path)));
  for (const records of found) expect(timesIn(records).length).toBeGreaterThan(0);
  const { json: made } = await call('POST', '/workrequests', {
    body: { asset: 'a-1001', language: 'fra' },
  });
  expect(timesIn(made.translation)).toHaveLength(1);
  expect(timesIn(made.history)).toHaveLength(1);
  const now = (Date.now() / 1000) * perSecond;
  const year = 366 * 86_400 * perSecond;
  for (const time of timesIn([found, made])) {
    expect(Number.isInteger(time)).toBe(true);
    expect(Math.abs(time - now)).toBeLessThan(3 * year);
  }
});

test('statuses are the words of the service, and translations keep theirs', async () => {
  const call = await other();
  const { status, history, $statuses, translation } = await read(call, '/workrequests/wr-2002');
  expect(status).toBe('needs-files');
  expect(history.map((one: { status: string }) => one.status)).toEqual(['new', 'needs-files']);
  const words = ['new', 'needs-files', 'translating', 'at-territory', 'sent-back', 'shipped'];
  expect($statuses).toEqual(words);
  expect(translation.status).toBe('incomplete');
  const { event } = await read(call, '/notifications/n-3001');
  expect(words).toContain(event.workRequest.status);
  const made = await call('POST', '/workrequests', { body: { language: 'fra' } });
  expect(made.json.status).toBe('new');
});

test('a status stays if the description has no word for what it means', async () => {
  const call = await other({ 'status.shipped': 'done', 'status.also-done': 'done' });
  const { $statuses } = await read(call, '/workrequests/wr-2002');
  expect($statuses.at(-1)).toBe('shipped');
  expect($statuses.slice(0, -1)).not.toContain('shipped');
  expect($statuses[0]).toBe('incomplete');
});

test('lists have short pages, no totals, and an error behind their end', async () => {
  const call = await other();
  const page = (range: string, path = '/downloads') =>
    call('GET', path, { headers: { 'X-Range': `resources=${range}` } });
  const first = await page('0-99');
  expect([first.status, first.json.length]).toEqual([200, 10]);
  expect(Object.keys(first.headers)).not.toContain('content-range');
  expect(Object.keys(first.headers)).not.toContain('x-total-count');
  expect((await page('20-29')).json).toHaveLength(5);
  expect((await page('25-34')).status).toBe(404);
  expect(await page('0-9', '/downloads?q=nothing')).toMatchObject({ status: 200, json: [] });
});

test('refused writes get the status of the service and a string, and nothing is written', async () => {
  const call = await other();
  const refusals = [
    call('POST', '/workrequests', { body: { _id: 'wr-2001' } }),
    call('POST', '/workrequests', { body: { asset: 'no-such-asset' } }),
    call('PUT', '/assets', { body: { _id: 'a-1001', name: 7 } }),
    call('PUT', '/session/u-marc', { body: { emailNormal: 'ines@northlight.example' } }),
  ];
  for (const { status, json } of await Promise.all(refusals)) {
    expect({ status, json }).toEqual({ status: 200, json: { error: expect.any(String) } });
  }
  expect((await read(call, '/assets/a-1001')).name).not.toBe(7);
});

test('failed logins, unknown records, wrong ranges and faults keep their status', async () => {
  const sandbox = await behaving(otherService.settings, ['/translations 409']);
  const call = await loggedIn(sandbox);
  const headers = { 'X-Range': 'resources=x' };
  const statuses = await Promise.all([
    sendRequest(sandbox, 'POST', '/workrequests', { body: {} }),
    call('PUT', '/session/nobody', { body: {} }),
    call('GET', '/downloads', { headers }),
    call('POST', '/translations', { body: {} }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 404, 400, 409]);
});
