import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import {
  demoSandbox,
  expectErrors,
  loggedIn,
  removeTemplate,
  temporaryFolder,
  testDownloads,
} from './harness.ts';

afterAll(removeTemplate);

test('a record comes back with every number, key and order unchanged', async () => {
  const call = await loggedIn(await demoSandbox());
  const body =
    '{"zeta":1.0,"_id":"wr-x","big":9007199254740993,"tiny":1e-7,"E":1E+2,"deep":{"b":[1.50,-0],"a":null},"10":"ten","2":"two","__proto__":{"x":1},"constructor":"c","text":"狐 \\ud83d\\ude80 e\u0301"}';
  const created = await call('POST', '/workrequests', { body });
  expect(created.status).toBe(200);
  const { text } = await call('GET', '/workrequests/wr-x');
  expect(text).toBe(created.text);
  const kept =
    '{"zeta":1.0,"_id":"wr-x","big":9007199254740993,"tiny":1e-7,"E":1E+2,"deep":{"b":[1.50,-0],"a":null},"10":"ten","2":"two","__proto__":{"x":1},"constructor":"c","text":"狐 🚀 e\u0301"';
  expect(text.slice(0, kept.length)).toBe(kept);
});

test('a write replaces the whole record', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = '{"name":"New","_id":"a-1002","extra":{"n":1.0}}';
  const put = await call('PUT', '/assets', { body });
  expect(put.status).toBe(200);
  expect(put.text).toBe(body);
  expect((await call('GET', '/assets/a-1002')).text).toBe(body);
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
  const missing = { field: '_id', message: expect.stringContaining('_id') };
  const invalid = ['', '.', '..', 'a\u0000b', 'x'.repeat(257), '\ud800'];
  return expectErrors(400, [
    ['PUT /assets', { body: { name: 'x' } }, missing],
    ['PUT /previews', { body: { name: 'x' } }, missing],
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

test.each([
  ['a-1001', 'p-harbor', 'u-tom'],
  [{ _id: 'a-1001' }, { _id: 'p-harbor' }, { _id: 'u-tom' }],
])('a new work request may name its asset as %j', async (asset, project, from) => {
  const call = await loggedIn(await demoSandbox());
  const body = { asset, project, from, language: 'deu' };
  const { status, json } = await call('POST', '/workrequests', { body });
  expect(status).toBe(200);
  expect(json.asset).toMatchObject({ _id: 'a-1001', name: expect.any(String) });
  expect(json.project).toMatchObject({ _id: 'p-harbor', name: expect.any(String) });
  expect(json.from._id).toBe('u-ines');
});

test('a record written by its path gets its _id if the body has none', async () => {
  const call = await loggedIn(await demoSandbox());
  const { text } = await call('PUT', '/offlines/o-6001', { body: { path: 'https://x.example/' } });
  expect(text).toBe('{"_id":"o-6001","path":"https://x.example/"}');
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
    $links: {
      self: `//${host}/api/files/${json._id}`,
      asset: `//${host}/api/assets/a-1001`,
    },
  });
  expect(json.created).toBeGreaterThanOrEqual(before);
  expect((await call('GET', '/files/_slug')).json[0]).toEqual(json);
});

test('links lead to the sandbox, also on another port, after the record was written back', async () => {
  const dataDir = await temporaryFolder();
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

test('a time and links that were sent are kept', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = { _id: 'f-mine', created: 17, $links: { self: '//elsewhere.example/x' } };
  expect((await call('POST', '/files', { body })).json).toEqual(body);
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

test('a work request by ids gets its project, asset, sender, history and translations', async () => {
  const call = await loggedIn(await demoSandbox());
  const { json } = await call('POST', '/workrequests', {
    body: { project: 'p-fox', asset: { _id: 'a-1009' }, language: 'deu', reason: 'premiere' },
  });
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
      language: 'deu',
      status: 'incomplete',
      workRequest: json._id,
      asset: 'a-1009',
      lines: [],
    });
  }
  expect(json.$links.asset).toMatch(/^\/\/127\.0\.0\.1:\d+\/api\/assets\/a-1009$/);
});

test('a work request embeds the current state of its asset', async () => {
  const call = await loggedIn(await demoSandbox());
  const names: string[] = [];
  for (const name of ['first', 'second']) {
    await call('PUT', '/assets', { body: { _id: 'a-1001', name } });
    const { json } = await call('POST', '/workrequests', { body: { asset: 'a-1001' } });
    names.push(json.asset.name);
  }
  expect(names).toEqual(['first', 'second']);
});

test('the caller is the sender of a new work request, even if the body names another user', async () => {
  const call = await loggedIn(await demoSandbox());
  const { json } = await call('POST', '/workrequests', { body: { from: 'u-tom' } });
  expect(json.from._id).toBe('u-ines');
});

test('an embedded asset that was sent whole is kept unchanged', async () => {
  const call = await loggedIn(await demoSandbox());
  const asset = { _id: 'elsewhere', name: 'Mine' };
  const { json } = await call('POST', '/workrequests', { body: { asset } });
  expect(json.asset).toEqual(asset);
});

test.each([
  ['project', 'p-none'],
  ['asset', { _id: 'a-none' }],
  ['translation', 't-none'],
])('a work request with an unknown %s is rejected', async (field, reference) => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', '/workrequests', { body: { [field]: reference } });
  expect(status).toBe(400);
  expect(json.error.field).toBe(field);
});

test('a work request without a language gets no translations', async () => {
  const call = await loggedIn(await demoSandbox());
  const { json } = await call('POST', '/workrequests', { body: { asset: 'a-1001' } });
  expect(json).not.toHaveProperty('translation');
});

test("a submitted translation moves its work request's own translation", async () => {
  const call = await loggedIn(await demoSandbox());
  const before = (await call('GET', '/workrequests/wr-2002')).json;
  expect(before.translation.status).toBe('incomplete');
  const { status, json } = await call('POST', '/translations', {
    body: { workRequest: 'wr-2002', language: 'deu' },
  });
  expect(status).toBe(200);
  expect(json.status).toBe('submitted');
  const after = (await call('GET', '/workrequests/wr-2002')).json;
  expect(after).toEqual({ ...before, translation: { ...before.translation, status: 'submitted' } });
});

test('a translation into another language leaves the work request alone', async () => {
  const call = await loggedIn(await demoSandbox());
  const before = await call('GET', '/workrequests/wr-2002');
  await call('POST', '/translations', { body: { workRequest: 'wr-2002', language: 'fra' } });
  expect((await call('GET', '/workrequests/wr-2002')).text).toBe(before.text);
});

test('a translation for an unknown work request is rejected', async () => {
  const call = await loggedIn(await demoSandbox());
  const { status, json } = await call('POST', '/translations', { body: { workRequest: 'wr-0' } });
  expect(status).toBe(400);
  expect(json.error.field).toBe('workRequest');
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

test('a write that is guarded by an old tag gets 412 and changes nothing', async () => {
  const call = await loggedIn(await demoSandbox());
  const { headers } = await call('GET', '/assets/a-1001');
  const guarded = { 'If-Match': headers.etag ?? '' };
  const first = await call('PUT', '/assets', {
    headers: guarded,
    body: { _id: 'a-1001', name: 'first' },
  });
  expect(first.status).toBe(200);
  const second = await call('PUT', '/assets', {
    headers: guarded,
    body: { _id: 'a-1001', name: 'second' },
  });
  expect(second.status).toBe(412);
  expect(second.json.error.code).toBe('precondition-failed');
  expect((await call('GET', '/assets/a-1001')).json.name).toBe('first');
});

test('If-Match takes several tags and a star, but no weak tag', async () => {
  const call = await loggedIn(await demoSandbox());
  const body = { _id: 'pv-1001-1', label: 'x' };
  const { headers } = await call('PUT', '/previews', { body });
  const put = async (ifMatch: string) =>
    (await call('PUT', '/previews', { headers: { 'If-Match': ifMatch }, body })).status;
  expect(await put(`"other", ${headers.etag}`)).toBe(200);
  expect(await put('*')).toBe(200);
  expect(await put(`W/${headers.etag}`)).toBe(412);
  expect(await put('nonsense')).toBe(412);
});

test('exactly one of many writers with the same tag succeeds', async () => {
  const call = await loggedIn(await demoSandbox());
  const { headers } = await call('GET', '/assets/a-1001');
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const put = await call('PUT', '/assets', {
        headers: { 'If-Match': headers.etag ?? '' },
        body: { _id: 'a-1001', name: `writer ${at}` },
      });
      return put.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 412)).toHaveLength(19);
});

test('two hundred creates at once make two hundred records', async () => {
  const call = await loggedIn(await demoSandbox());
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      call('POST', '/workrequests', { body: { instructions: `number ${at}`, asset: 'a-1001' } }),
    ),
  );
  expect(new Set(replies.map(({ json }) => json._id)).size).toBe(200);
  for (const [at, { json }] of replies.entries()) {
    const stored = await call('GET', `/workrequests/${json._id}`);
    expect(stored.json.instructions).toBe(`number ${at}`);
  }
});

test('of many creates with one _id exactly one wins', async () => {
  const call = await loggedIn(await demoSandbox());
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/files', { body: { _id: 'f-one' } })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(409)]);
});
