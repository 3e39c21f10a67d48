import { describe, expect, it } from 'vitest';
import {
  type Fault,
  faultyServer,
  hangUp,
  reset,
  respond,
  responseHead,
  sendAndClose,
  sendAndReset,
  silence,
} from '../../harness/faultyServer.ts';
import { mar, startMar } from '../../harness/mar.ts';
import { account } from '../../harness/recordingServer.ts';
import { expectNoHarm, faultsTogether, faultTable, type Row } from './rows.ts';

const getAsset = ['asset', 'get', 'a-1'];
const good = respond('{"_id":"a-1"}');
const printed = { code: 0, prints: [{ _id: 'a-1' }] };
const retryAfter = (value: string | number, status = '503 Busy') =>
  respond('{"message":"said the service"}', { status, headers: [`Retry-After: ${value}`] });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** Faults that may have passed the next time, with what they come to when they do not. */
const passing: [name: string, fault: Fault, code: number, says: RegExp][] = [
  ['a status of 408', retryAfter(0, '408 Slow'), 3, /\b408\b/],
  ['a status of 429', retryAfter(0, '429 Often'), 1, /too many requests/],
  ['a status of 500', retryAfter(0, '500 Broken'), 1, /\b500\b/],
  ['a status of 502', retryAfter(0, '502 Gateway'), 1, /\b502\b/],
  ['a status of 503', retryAfter(0, '503 Busy'), 1, /\b503\b/],
  ['a status of 504', retryAfter(0, '504 Gateway'), 1, /\b504\b/],
  ['a status of 503 without a word about when', respond('', { status: '503 Busy' }), 1, /\b503\b/],
  ['a connection that is hung up', hangUp, 7, /closed the connection/],
  ['a connection that is reset', reset, 7, /closed the connection/],
  ['half of the headers', sendAndClose('HTTP/1.1 200 OK\r\nX: '), 7, /closed the connection/],
  [
    'half an answer',
    sendAndClose(responseHead({ headers: ['Content-Length: 99'] }), '{'),
    1,
    /was cut off/,
  ],
  [
    'half an answer, reset',
    sendAndReset(responseHead({ headers: ['Content-Length: 99'] }), '{'),
    1,
    /was cut off/,
  ],
  [
    'half a chunk',
    sendAndClose(responseHead({ headers: ['Transfer-Encoding: chunked'] }), '9\r\n{'),
    1,
    /was cut off/,
  ],
];

describe('a GET is repeated after', () => {
  faultTable(
    passing.map(([name, fault]): Row => ({ name, server: [fault, good], requests: 2, ...printed })),
  );
});

describe('a GET that keeps failing is given up, after', () => {
  faultTable([
    ...passing.map(
      ([name, server, code, says]): Row => ({
        name,
        server,
        flags: ['--retries', '1'],
        code,
        says,
        requests: 2,
      }),
    ),
    { name: 'three requests, unless told otherwise', server: retryAfter(0), code: 1, requests: 3 },
    {
      name: 'as many as it was told',
      server: retryAfter(0),
      flags: ['--retries', '5'],
      code: 1,
      requests: 6,
    },
    {
      name: 'one, when it was told not to repeat',
      server: retryAfter(0),
      flags: ['--retries', '0'],
      code: 1,
    },
    {
      name: 'the last of different failures',
      server: [reset, retryAfter(0), respond('', { status: '404 No' })],
      code: 5,
      says: /not found/,
      requests: 3,
    },
    {
      name: 'one that ran out of time in between',
      server: [retryAfter(0), silence],
      flags: ['--timeout', '200ms'],
      code: 7,
      says: /within 200ms/,
      requests: 2,
    },
    ...['-1', 'many', '1.5', '', '1e9'].map(
      (value): Row => ({
        name: `nothing, when --retries is "${value}"`,
        server: good,
        flags: [`--retries=${value}`],
        code: 2,
        says: /--retries/,
        requests: 0,
      }),
    ),
  ]);
});

describe('Retry-After', () => {
  faultsTogether('is waited for', [
    {
      name: 'in seconds',
      server: [retryAfter(1), good],
      requests: 2,
      takesMs: [1000, 1000],
      ...printed,
    },
    {
      name: 'in parts of a second, though no standard knows them',
      server: [retryAfter('1.1'), good],
      requests: 2,
      takesMs: [1100, 1100],
      ...printed,
    },
    {
      name: 'as a date',
      server: [(socket) => retryAfter(inSeconds(2))(socket), good],
      requests: 2,
      takesMs: [1000, 2000],
      ...printed,
    },
    {
      name: 'outside the deadline, which is for each request',
      server: [retryAfter(1), good],
      flags: ['--timeout', '900ms'],
      requests: 2,
      takesMs: [1000, 1000],
      ...printed,
    },
  ]);
  faultTable([
    {
      name: 'of a date that is over is no wait',
      server: [retryAfter(inSeconds(-100)), good],
      requests: 2,
      takesMs: [0, 0],
      ...printed,
    },
    {
      name: 'of more than a minute is told, not waited for',
      server: retryAfter(61),
      code: 1,
      says: /61 ?s|1m ?1s/,
      takesMs: [0, 0],
    },
    {
      name: 'of more than a minute is told of too many requests, too',
      server: retryAfter(3600, '429 Often'),
      code: 1,
      says: /3600 ?s|1 ?h|60 ?m/,
      takesMs: [0, 0],
    },
    {
      name: 'as a date far away is told, not waited for',
      server: retryAfter('Fri, 31 Dec 2100 23:59:59 GMT'),
      code: 1,
      says: /2100|\d+ ?(s|h|d)\b/,
      takesMs: [0, 0],
    },
    {
      name: 'as a date far away is told of too many requests as well, as a date',
      server: retryAfter('Fri, 31 Dec 2100 23:59:59 GMT', '429 Often'),
      code: 1,
      says: /^(?!.*GMT s\b).*(2100|\d+ ?(s|h|d)\b)/s,
      takesMs: [0, 0],
    },
    ...['soon', '-5', '99999999999999999999', '\x01', '0, 3600'].map(
      (value): Row => ({
        name: `of ${JSON.stringify(value)} does no harm`,
        server: retryAfter(value),
        flags: ['--retries', '0'],
        code: 1,
        takesMs: [0, 0],
      }),
    ),
    {
      name: 'of a success means nothing',
      server: respond('{"_id":"a-1"}', { headers: ['Retry-After: 30'] }),
      takesMs: [0, 0],
      ...printed,
    },
  ]);
});

describe('what will not pass', () => {
  const statuses = [400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 425, 451];
  const codes: Partial<Record<number, number>> = { 401: 4, 403: 4, 404: 5, 412: 6 };
  faultTable([
    ...statuses.map(
      (status): Row => ({
        name: `is not asked for again: ${status}`,
        server: retryAfter(0, `${status} No`),
        code: codes[status] ?? 3,
      }),
    ),
    ...[301, 302, 303, 307, 308, 501, 505, 507].map(
      (status): Row => ({
        name: `is not asked for again: ${status}`,
        server: retryAfter(0, `${status} No`),
        code: 1,
      }),
    ),
  ]);
});

describe('a repeated request', () => {
  it.each([80, undefined])('leaves no trace with columns %s', async (columns) => {
    const server = await faultyServer([retryAfter(0), reset, good]);
    const run = await mar([...getAsset, '--no-color'], { env: server.env, columns });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(3);
  });

  it('is announced on a terminal if the wait is long', async () => {
    const server = await faultyServer([retryAfter(2), good]);
    const run = startMar([...getAsset, '--no-color'], { env: server.env, columns: 80 });
    await run.stderr.until('Retrying in 2 s (503)');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is reported in a pipe with --debug', async () => {
    const server = await faultyServer([retryAfter(0), good]);
    const run = await mar([...getAsset, '--debug'], server);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toMatch(/\b503\b/);
    expect(run.stderr).toMatch(/^\* Retrying in /m);
    expectNoHarm(run);
  });

  it('is the same, byte for byte', async () => {
    const server = await faultyServer([reset, retryAfter(0), good]);
    expect((await mar(getAsset, server)).code).toBe(0);
    expect(new Set(server.requests).size).toBe(1);
  });

  it('is for each of several records, and for each page', async () => {
    const pages = [respond('[{"_id":"f-1"}]'), retryAfter(0), respond('[{"_id":"f-2"}]'), reset];
    const server = await faultyServer([...pages, respond('[]')]);
    const run = await mar(['file', 'list', '--all', '--columns', '_id'], server);
    expect(run).toMatchObject({ code: 0, stdout: 'f-1\nf-2\n' });
    expect(server.requests).toHaveLength(5);
  });

  it('is made where nothing listens, too', async () => {
    const env = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    const run = await mar([...getAsset, '--no-color'], { env, columns: 80 });
    expect(run).toMatchObject({ code: 7, stdout: '' });
    expect(run.stderr).toContain('refused the connection');
    expectNoHarm(run);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is not waited for after %s', async (signal, code) => {
    const server = await faultyServer(retryAfter(60));
    const start = performance.now();
    const run = startMar(getAsset, { env: server.env, columns: 80 });
    await run.stderr.until('Retrying');
    run.signal(signal);
    const outcome = await run.ended;
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(performance.now() - start).toBeLessThan(5000);
    expect(server.requests).toHaveLength(1);
    expectNoHarm(outcome);
    await server.released();
  });
});
