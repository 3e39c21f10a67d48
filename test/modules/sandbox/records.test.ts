import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/modules/sandbox/start.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { demoSandbox, expectErrors, loggedIn, testDownloads } from './harness.ts';

test('a record comes back with every number, key and order unchanged', async () => {
  const call = await loggedIn(await demoSandbox());
  const kept =
    '{"zeta":1.0,"_id":"wr-x","big":9007199254740993,"tiny":1e-7,"E":1E+2,"deep":{"b":[1.50,-0],"a":null},"10":"ten","2":"two","__proto__":{"status":1},"constructor":"c","text":"狐 🚀 e\u0301"';
  const body = `${kept.replace('🚀', '\\ud83d\\ude80')}}`;
  const created = await call('POST', '/workrequests', { body });
  expect(created.status).toBe(200);
  const { text } = await call('GET', '/workrequests/wr-x');
  expect(text).toBe(created.text);
  expect(text.slice(0, kept.length)).toBe(kept);
  expect(text).toContain('"status":"incomplete"');
});

test('a write replaces the whole record, which gets the _id of the path if it has none', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = '{"name":"New","_id":"a-1002","extra":{"n":1.0}}';
  expect(await call('PUT', '/assets', { body })).toMatchObject({ status: 200, text: body });
  expect((await call('GET', '/assets/a-1002')).text).toBe(body);
  const { text } = await call('PUT', '/offlines/o-6001', { body: { path: 'https://x.example/' } });
  expect(text).toBe('{"_id":"o-6001","path":"https://x.example/"}');
});

test('a record that is not there gets 404', () =>
  expectErrors(404, [
    ['PUT /session/u-nobody', { body: {} }, { code: 'not-found' }],
    ['GET /assets/a-9999', {}, { code: 'not-found' }],
    ['GET /workrequests/..', {}, { code: 'not-found' }],
    ['GET /workrequests/wr-2001%00', {}, { code: 'not-found' }],
    ['GET /notifications/a-1001', {}, { code: 'not-found' }],
  ]));

test('an _id that is missing, invalid, or not the one in the path gets 400', () => {
  const invalid = ['', '.', '..', 'a\u0000b', 'x'.repeat(257), '\ud800'];
  return expectErrors(400, [
    ['PUT /assets', { body: { name: 'x' } }, { field: '_id' }],
    ['PUT /previews', { body: { name: 'x' } }, { field: '_id' }],
    ['PUT /offlines/o-6001', { body: { _id: 'o-6002' } }, { field: '_id' }],
    ...invalid.map((_id) => ['POST /files', { body: { _id } }, { field: '_id' }] as const),
  ]);
});

test.each([
  ['/assets', { _id: 'a-9999', name: 'New' }],
  ['/previews', { _id: 'pv-9999', label: 'New' }],
  ['/events', { _id: 'e-9999', type: 'fd' }],
  ['/offlines/o-9999', { workRequest: 'wr-2001' }],
])('PUT %s of a new record creates it, because there is no POST', async (path, body) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('PUT', path, { body });
  expect(status).toBe(200);
  expect(json).toMatchObject({ _id: expect.stringContaining('-9999'), ...body });
  expect(json.created).toEqual(expect.any(Number));
  const again = await call('PUT', path, { body });
  expect(again.text).toBe(JSON.stringify({ _id: json._id, ...body }));
  const headers = { 'If-Match': '"x"' };
  const other = JSON.parse(JSON.stringify(body).replaceAll('9999', '8888'));
  const refused = await call('PUT', path.replace('9999', '8888'), { headers, body: other });
  expect(refused.status).toBe(404);
});

test('PUT /events without an _id creates an event from the caller', async () => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('PUT', '/events', { body: { type: 'fd', files: [] } });
  expect(status).toBe(200);
  expect(json).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    type: 'fd',
    files: [],
    from: expect.objectContaining({ _id: 'u-ines', emailNormal: 'ines@northlight.example' }),
    ...{ processed: false, pushed: false, digested: false },
    created: expect.any(Number),
  });
});

test('a new record gets an id, a time and links', async () => {
  const sandbox = await demoSandbox();
  const { host } = new URL(sandbox.baseUrl);
  const call = await loggedIn(sandbox);
  const before = Date.now();
  const { json } = await call('POST', '/files', { body: { name: 'cut.mov', asset: 'a-1001' } });
  expect(json).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'cut.mov',
    asset: 'a-1001',
    created: expect.any(Number),
    $links: { self: `//${host}/api/files/${json._id}`, asset: `//${host}/api/assets/a-1001` },
  });
  expect(json.created).toBeGreaterThanOrEqual(before);
  expect((await call('GET', '/files/_slug')).json[0]).toEqual(json);
});

test('links lead to the sandbox, also on another port, after the record was written back', async () => {
  const dataDir = temporaryFolder();
  for (const start of [1, 2]) {
    const sandbox = await startSandbox({ dataDir, downloads: testDownloads, port: 0 });
    const { host } = new URL(sandbox.baseUrl);
    const call = await loggedIn(sandbox);
    const { json } = await call('GET', '/assets/a-1001');
    expect(json.$links.self).toBe(`//${host}/api/assets/a-1001`);
    const written = await call('PUT', '/assets', { body: { ...json, name: `start ${start}` } });
    expect(written.json.$links).toEqual(json.$links);
    await sandbox.close();
  }
});

test('a time, links and a whole asset that were sent are kept', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = { _id: 'f-mine', created: 17, $links: { self: '//elsewhere.example/x' } };
  expect((await call('POST', '/files', { body })).json).toEqual(body);
  const asset = { _id: 'elsewhere', name: 'Mine' };
  const { json } = await call('POST', '/workrequests', { body: { asset } });
  expect(json.asset).toEqual(asset);
});

test('an _id that is taken gets 409 and changes nothing', async () => {
  const call = await loggedIn(await demoSandbox());
  const before = await call('GET', '/workrequests/wr-2001');
  const { status, json } = await call('POST', '/workrequests', { body: { _id: 'wr-2001' } });
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ code: 'conflict', field: '_id' });
  expect((await call('GET', '/workrequests/wr-2001')).text).toBe(before.text);
});

test('an id with a slash, a space and CJK is reached by its percent-encoded path', async () => {
  const call = await loggedIn(await demoSandbox());
  const _id = 'a/b c%狐';
  await call('POST', '/workrequests', { body: { _id } });
  const { status, json } = await call('GET', `/workrequests/${encodeURIComponent(_id)}`);
  expect(status).toBe(200);
  expect(json._id).toBe(_id);
});

test('a work request by ids gets project, asset, history and translations, and its sender is the caller', async () => {
  const call = await loggedIn(await demoSandbox());
  const named = { project: { _id: 'p-fox' }, asset: { _id: 'a-1009' }, from: 'u-tom' };
  const body = { ...named, language: 'deu', reason: 'premiere' };
  const { json } = await call('POST', '/workrequests', { body });
  const asset = (await call('GET', '/assets/a-1009')).json;
  expect(json.project).toMatchObject({ _id: 'p-fox', name: '狐の嫁入り', studio: 's-kitsune' });
  expect(json.asset).toEqual({
    ...asset,
    usage: expect.objectContaining({ online: true, atmos2d: true, dcp3d: false }),
    thumbnail: expect.objectContaining({ _id: 'f-1009-thumb' }),
  });
  expect(json.from).toMatchObject({ _id: 'u-ines', groups: [{ _id: 'g-northlight' }] });
  expect(json.studio).toBe('s-kitsune');
  expect(json.status).toBe('incomplete');
  const groups = json.from.groups.map(({ _id, name }: Record<string, string>) => ({ _id, name }));
  const user = { ...json.from, groups };
  expect(json.history).toEqual([
    { date: expect.any(Number), user, status: 'incomplete', reason: 'premiere' },
  ]);
  for (const translation of [json.translation, json.graphicsTranslation]) {
    expect(translation).toMatchObject({
      ...{ language: 'deu', status: 'incomplete', workRequest: json._id },
      ...{ asset: 'a-1009', lines: [] },
    });
  }
  expect(json.$links.asset).toMatch(/^\/\/127\.0\.0\.1:\d+\/api\/assets\/a-1009$/);
});

test('a work request embeds the current state of its asset, and no translations without a language', async () => {
  const call = await loggedIn(await demoSandbox());
  for (const name of ['first', 'second']) {
    await call('PUT', '/assets', { body: { _id: 'a-1001', name } });
    const { json } = await call('POST', '/workrequests', { body: { asset: 'a-1001' } });
    expect(json.asset.name).toBe(name);
    expect(json).not.toHaveProperty('translation');
  }
});

test('a reference to a record that does not exist gets 400, and the error names its field', () =>
  expectErrors(400, [
    ['POST /workrequests', { body: { project: 'p-none' } }, { field: 'project' }],
    ['POST /workrequests', { body: { asset: { _id: 'a-none' } } }, { field: 'asset' }],
    ['POST /workrequests', { body: { translation: 't-none' } }, { field: 'translation' }],
    ['POST /translations', { body: { workRequest: 'wr-0' } }, { field: 'workRequest' }],
  ]));

test("a submitted translation moves its work request's own translation, in that language alone", async () => {
  const call = await loggedIn(await demoSandbox());
  const read = async () => (await call('GET', '/workrequests/wr-2002')).json;
  const submit = (language: string) =>
    call('POST', '/translations', { body: { workRequest: 'wr-2002', language } });
  const before = await read();
  expect(before.translation.status).toBe('incomplete');
  await submit('fra');
  expect(await read()).toEqual(before);
  const { status, json } = await submit('deu');
  expect([status, json.status]).toEqual([200, 'submitted']);
  const translation = { ...before.translation, status: 'submitted' };
  expect(await read()).toEqual({ ...before, translation });
});

test('a rejected translation leaves its work request unchanged', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = { _id: 't-mine', workRequest: 'wr-2002', language: 'deu', status: 'incomplete' };
  await call('POST', '/translations', { body });
  const again = await call('POST', '/translations', { body: { ...body, status: 'submitted' } });
  expect(again.status).toBe(409);
  const { json } = await call('GET', '/workrequests/wr-2002');
  expect(json.translation.status).toBe('incomplete');
});

test('a record has a strong tag that changes only when the record changes', async () => {
  const call = await loggedIn(await demoSandbox());
  const first = (await call('GET', '/assets/a-1001')).headers.etag;
  expect(first).toMatch(/^"[\w-]{43}"$/);
  expect((await call('GET', '/assets/a-1001')).headers.etag).toBe(first);
  const put = await call('PUT', '/assets', { body: { _id: 'a-1001', name: 'x' } });
  expect(put.headers.etag).not.toBe(first);
  expect((await call('GET', '/assets/a-1001')).headers.etag).toBe(put.headers.etag);
});

test('exactly one of many writers with the same tag succeeds; the others get 412 and change nothing', async () => {
  const call = await loggedIn(await demoSandbox());
  const { etag = '' } = (await call('GET', '/assets/a-1001')).headers;
  const put = (name: string) =>
    call('PUT', '/assets', { headers: { 'If-Match': etag }, body: { _id: 'a-1001', name } });
  const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => put(`writer ${at}`)));
  const [written, ...others] = replies.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const refused = replies.filter(({ status }) => status === 412);
  expect(refused.map(({ json }) => json.error.code)).toEqual(Array(19).fill('precondition-failed'));
  expect((await call('GET', '/assets/a-1001')).text).toBe(written?.text);
});

test('of many creates with one _id exactly one wins', async () => {
  const call = await loggedIn(await demoSandbox());
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/files', { body: { _id: 'f-one' } })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(409)]);
});
