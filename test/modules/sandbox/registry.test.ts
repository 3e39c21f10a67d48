import { expect, test } from 'vitest';
import { type Endpoint, endpoints } from '../../../src/core/api/endpoints.ts';
import { type Caller, demoSandbox, loggedIn } from './harness.ts';

/** Logs in to a sandbox whose registry has one more endpoint, such as `GET /downloads/{id}`. */
async function withEndpoint(
  route: string,
  resource: Endpoint['resource'],
  more: Pick<Endpoint, 'response'> & Partial<Endpoint>,
): Promise<Caller> {
  const [method, path = ''] = route.split(' ');
  const call = { summary: 'Made up', method: method as Endpoint['method'], path };
  const added = { ...call, resource, ...more };
  return loggedIn(await demoSandbox({ registry: { ...endpoints, madeUp: added } }));
}

const inAndOut = { body: 'download', response: 'download' } as const;
const ids = (records: { _id: string }[]) => records.map(({ _id }) => _id);

test('an added GET of a download by its id reads it from the store', async () => {
  const call = await withEndpoint('GET /downloads/{id}', 'Download', { response: 'download' });
  const [newest] = (await call('GET', '/downloads')).json;
  const found = await call('GET', `/downloads/${newest._id}`);
  expect([found.status, found.json]).toEqual([200, newest]);
  expect(found.headers.etag).toMatch(/^"[\w-]{43}"$/);
  const missing = await call('GET', '/downloads/d-none');
  const message = expect.stringContaining('"d-none"');
  expect([missing.status, missing.json.error.message]).toEqual([404, message]);
});

test('an added POST of downloads creates one that lists and filters find', async () => {
  const call = await withEndpoint('POST /downloads', 'Download', inAndOut);
  const body = { user: 'u-new', file: { name: 'Ünique.mov', studio: 's-kitsune' } };
  const created = await call('POST', '/downloads', { body });
  expect(created.status).toBe(200);
  expect(created.json).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    ...body,
    created: expect.any(Number),
    $links: { self: expect.stringContaining(`/api/downloads/${created.json._id}`) },
  });
  for (const query of ['', '?user=u-new', '?q=%C3%BCnique']) {
    const { json } = await call('GET', `/downloads${query}`);
    expect(json[0]).toEqual(created.json);
  }
});

test.each([
  ['/downloads/{id}', '/downloads/d-000007', {}],
  ['/downloads', '/downloads', { _id: 'd-000007' }],
])('an added PUT %s replaces the download and keeps its time', async (path, url, withId) => {
  const call = await withEndpoint(`PUT ${path}`, 'Download', inAndOut);
  const list = async () => (await call('GET', '/downloads?order=created')).json;
  const before = await list();
  const put = await call('PUT', url, { body: { user: 'u-new', ...withId } });
  expect([put.status, put.json]).toEqual([200, { _id: 'd-000007', user: 'u-new' }]);
  const after = await list();
  expect(ids(after)).toEqual(ids(before));
  expect(after[6]).toEqual(put.json);
  expect(ids((await call('GET', '/downloads?user=u-new')).json)).toEqual(['d-000007']);
});

test('an added list of a resource that had none lists its records', async () => {
  const list = { range: true, response: 'notification' } as const;
  const call = await withEndpoint('GET /notifications', 'Notification', list);
  const range = { headers: { 'X-Range': 'resources=0-1' } };
  const { json, headers } = await call('GET', '/notifications', range);
  expect(ids(json)).toEqual(['n-3003', 'n-3004']);
  expect(headers['content-range']).toBe('resources 0-1/5');
});
