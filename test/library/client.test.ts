import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, endpoints, MarError, schemas } from '../../src/library/library.ts';
import { account, type RecordingServer, recordingServer } from '../harness/recordingServer.ts';

const basic = (secret: string) =>
  `Authorization: Basic ${Buffer.from(`${account.MAR_EMAIL}:${secret}`).toString('base64')}`;

const common = { email: account.MAR_EMAIL, env: {}, retries: 0 };

function clientOf({ baseUrl }: RecordingServer) {
  const client = createClient({ ...common, baseUrl, token: account.MAR_TOKEN });
  onTestFinished(() => client.close());
  return client;
}

/** The error that a call fails with. */
const failure = (work: Promise<unknown>): Promise<MarError> =>
  work.then(
    () => expect.fail('it did not fail'),
    (error) => {
      expect(error).toBeInstanceOf(MarError);
      return error;
    },
  );

describe('call', () => {
  it('gives the record, and its text exactly as it came', async () => {
    const text = '{"zebra":9007199254740993,"_id":"a-1","name":"x"}';
    const server = await recordingServer(text);
    const record = await clientOf(server).call(endpoints.assetGet, { id: 'a/1' });
    expect(record.text).toBe(text);
    expect(record.value.name).toBe('x');
    expect(server.requests[0]).toMatch(/^GET \/api\/assets\/a%2F1 HTTP/);
    expect(server.requests[0]).toContain(basic(`token-${account.MAR_TOKEN}`));
    expect(server.requests[0]).toMatch(/^User-Agent: mar-cli\/\d/m);
  });

  it('sends plain objects as JSON, with dates and big integers as they should be', async () => {
    const server = await recordingServer('{}');
    const body = {
      asset: 'a-1',
      due: { date: 5 },
      big: 2n ** 60n,
      day: new Date(0),
      left: undefined,
      list: [1, { a: null }],
    };
    await clientOf(server).call(endpoints.workRequestCreate, { body });
    expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe(
      '{"asset":"a-1","due":{"date":5},"big":1152921504606846976,"day":"1970-01-01T00:00:00.000Z","list":[1,{"a":null}]}',
    );
  });

  it('rejects with the reason of an aborted signal, for records and lists', async () => {
    const { baseUrl, request } = await recordingServer({ raw: '', afterwards: 'wait' });
    for (const method of ['call', 'pages'] as const) {
      const stop = new AbortController();
      const options = { ...common, baseUrl, token: account.MAR_TOKEN, signal: stop.signal };
      const client = createClient(options);
      const arrived = request();
      const work =
        method === 'call'
          ? client.call(endpoints.assetGet, { id: 'a-1' })
          : client.pages(endpoints.fileList).next();
      work.catch(() => {});
      await arrived;
      stop.abort();
      await expect(work).rejects.toMatchObject({ name: 'AbortError' });
      client.close();
    }
  });

  it('names a missing record, and a service that is busy', async () => {
    const missing = clientOf(await recordingServer({ status: 404 }));
    expect(await failure(missing.call(endpoints.assetGet, { id: 'a-9' }))).toMatchObject({
      kind: 'not-found',
      details: { resource: 'asset', id: 'a-9', status: 404, method: 'GET' },
    });
    const busy = clientOf(await recordingServer({ status: 429, headers: ['Retry-After: 2'] }));
    expect(await failure(busy.call(endpoints.assetGet, { id: 'a-9' }))).toMatchObject({
      kind: 'rate-limited',
      details: { retryAfterMs: 2000 },
    });
  });

  it.each([[5], [null], [['a-1']], [{}]])('refuses %j as an id', async (id) => {
    const server = await recordingServer('{}');
    const call = clientOf(server).call(endpoints.assetGet, { id: id as unknown as string });
    expect(await failure(call)).toMatchObject({
      kind: 'usage',
      details: { value: String(id ?? '') },
    });
    expect(server.requests).toEqual([]);
  });

  it('sends JSON text digit by digit', async () => {
    const server = await recordingServer('{}');
    await clientOf(server).call(endpoints.assetPut, { body: '{"2":1.0, "1":9007199254740993}' });
    expect(server.requests[0]).toMatch(/\{"2":1\.0,"1":9007199254740993\}$/);
  });

  const itself: Record<string, unknown> = {};
  itself.again = itself;
  it.each([
    [
      'a field that is not of its type',
      { due: { date: 'soon' } },
      /due\.date: expected an integer/,
    ],
    ['text that is not JSON', '{', /not JSON/],
    ['a number that JSON has not', { estimate: Number.NaN }, /cannot be sent as JSON/],
    ['a body that holds itself', itself, /contains itself/],
    ['no body', undefined, /needs a body/],
  ])('refuses %s, and sends nothing', async (_, body, message) => {
    const server = await recordingServer('{}');
    const call = clientOf(server).call(endpoints.workRequestCreate, { body: body as string });
    expect(await failure(call)).toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
    });
    expect(server.requests).toEqual([]);
  });

  it('fails without the token in the error, even if the service quotes it', async () => {
    const token = 'a-long-secret';
    const body = `{"message":"${token} is not good","basic":"${btoa(`${common.email}:token-${token}`)}"}`;
    const { baseUrl } = await recordingServer({ status: 401, body });
    const client = createClient({ ...common, baseUrl, token });
    const error = await failure(client.call(endpoints.assetGet, { id: 'a-1' }));
    const listing = await failure(client.pages(endpoints.userList).next());
    for (const { message, details, kind } of [error, listing]) {
      expect(kind).toBe('auth');
      expect(message).toContain('[redacted] is not good');
      expect(JSON.stringify(details)).not.toMatch(/a-long-secret|YS1sb25n|bG9uZy/);
      expect(details.body).toContain('[redacted]');
    }
    client.close();
  });

  it('reports a response that does not fit', async () => {
    const { baseUrl } = await recordingServer('{"name":7}');
    const told: string[] = [];
    const onMismatch = (text: string) => told.push(text);
    const client = createClient({ ...common, baseUrl, token: 't', onMismatch });
    await client.call(endpoints.assetGet, { id: 'a-1' });
    expect(told).toEqual([expect.stringMatching(/\bname\b.*\b7$/)]);
  });
});

describe('pages', () => {
  it('come one after the other, until there are no more', async () => {
    const server = await recordingServer('[{"_id":"1"},{"_id":"2"}]', '[{"_id":"3"}]', '[]');
    const ids: unknown[] = [];
    const query = { q: 'harbor' };
    const pages = clientOf(server).pages(endpoints.downloadList, { pageSize: 2, query });
    for await (const { records } of pages) ids.push(records.map(({ value }) => value._id));
    expect(ids).toEqual([['1', '2'], ['3']]);
    expect(server.requests[0]).toMatch(/^GET \/api\/downloads\?q=harbor /);
    expect(server.requests[0]).toContain('X-Range: resources=0-1');
    expect(server.requests[1]).toContain('X-Range: resources=2-3');
  });

  it('begin and end at the given places', async () => {
    const server = await recordingServer('[{"_id":"5"},{"_id":"6"}]', '[]');
    const pages = clientOf(server).pages(endpoints.fileList, { from: 5, to: 6 });
    const counts: number[] = [];
    for await (const { records } of pages) counts.push(records.length);
    expect(counts).toEqual([2]);
    expect(server.requests).toEqual([expect.stringContaining('X-Range: resources=5-6')]);
  });

  it.each([[{ pageSize: 0 }], [{ from: 5, to: 2 }]])(
    'refuse bounds that are none: %j',
    async (bounds) => {
      const server = await recordingServer('[]');
      const pages = clientOf(server).pages(endpoints.fileList, bounds);
      expect(await failure(pages.next())).toMatchObject({ kind: 'usage' });
    },
  );
});

describe('a client with a password', () => {
  const session = '{"token":"fresh","email":"ines@northlight.example"}';

  it('logs in once, when it is first needed', async () => {
    const server = await recordingServer(session, '{}');
    const client = createClient({ ...common, baseUrl: server.baseUrl, password: 'open' });
    expect(server.requests).toEqual([]);
    await Promise.all([
      client.call(endpoints.assetGet, { id: 'a-1' }),
      client.call(endpoints.assetGet, { id: 'a-2' }),
    ]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]).toContain(basic('open'));
    for (const request of server.requests.slice(1)) expect(request).toContain(basic('token-fresh'));
    client.close();
  });

  it('logs in again after a failure, and after signing out', async () => {
    const server = await recordingServer({ status: 401 }, session, '{}', session, '{}');
    const client = createClient({ ...common, baseUrl: server.baseUrl, password: 'open' });
    const first = client.call(endpoints.assetGet, { id: 'a-1' });
    expect(await failure(first)).toMatchObject({ kind: 'auth' });
    await client.call(endpoints.sessionDelete);
    await client.call(endpoints.assetGet, { id: 'a-1' });
    const lines = server.requests.map((request) => request.split(' HTTP')[0]);
    expect(lines).toEqual([
      'GET /api/session',
      'GET /api/session',
      'DELETE /api/session',
      'GET /api/session',
      'GET /api/assets/a-1',
    ]);
    client.close();
  });
});

describe('a client is not made', () => {
  const good = { ...common, baseUrl: 'https://media.example/api', token: 't' };
  it.each([
    ['without a secret', { ...good, token: undefined }],
    ['with plain http to another machine', { ...good, baseUrl: 'http://media.example/api' }],
    ['with a base URL that is none', { ...good, baseUrl: 'https://media.example/elsewhere' }],
    ['with half a retry', { ...good, retries: 0.5 }],
    ['with no time at all', { ...good, timeout: 0 }],
    ['with more time than can be counted', { ...good, timeout: Number.POSITIVE_INFINITY }],
    ['with an empty token', { ...good, token: '' }],
    ['without an e-mail', { ...good, email: undefined }],
  ])('%s', (_, options) => {
    const make = () => createClient(options as typeof good);
    expect(make).toThrow(expect.objectContaining({ name: 'MarError', kind: 'usage' }));
  });
});

describe('schemas', () => {
  it('check values', async () => {
    expect(await schemas.check('workRequest', { due: { date: 'soon' }, extra: 1 })).toEqual([
      { path: 'due.date', problem: 'expected an integer, found a string' },
    ]);
  });

  it('are there as JSON Schema and OpenAPI', async () => {
    expect(await schemas.json('asset')).toMatchObject({ title: 'Asset', type: 'object' });
    expect(await schemas.openApi()).toMatchObject({ openapi: '3.1.1' });
  });
});
