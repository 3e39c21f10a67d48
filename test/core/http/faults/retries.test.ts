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
} from '../../../harness/faultyServer.ts';
import { mar, startMar } from '../../../harness/mar.ts';
import { networkWords } from '../../../words/network.ts';
import { body, expectNoHarm, failing, faultsTogether, faultTable, usable } from './rows.ts';

const getAsset = ['asset', 'get', 'a-1'];
const good = respond(body);
const half = responseHead({ headers: ['Content-Length: 99'] });
const chunked = responseHead({ headers: ['Transfer-Encoding: chunked'] });
const retryAfter = (value: string | number, status = '503 Busy') =>
  respond('{"message":"said the service"}', { status, headers: [`Retry-After: ${value}`] });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** Faults that may have passed the next time, with what they come to when they do not. */
const passing: [name: string, fault: Fault, code: number, says: RegExp | string][] = [
  ['a status of 408', retryAfter(0, '408 Slow'), 3, /\b408\b/],
  ['a status of 429', retryAfter(0, '429 Often'), 1, /\b429\b/],
  ['a status of 500', retryAfter(0, '500 Broken'), 1, /\b500\b/],
  ['a status of 502', retryAfter(0, '502 Gateway'), 1, /\b502\b/],
  ['a status of 503', retryAfter(0, '503 Busy'), 1, /\b503\b/],
  ['a status of 504', retryAfter(0, '504 Gateway'), 1, /\b504\b/],
  ['a status of 503 without a word about when', respond('', { status: '503 Busy' }), 1, /\b503\b/],
  ['a connection that is hung up', hangUp, 7, networkWords.closed],
  ['a connection that is reset', reset, 7, networkWords.closed],
  ['half of the headers', sendAndClose('HTTP/1.1 200 OK\r\nX: '), 7, networkWords.closed],
  ['half an answer', sendAndClose(half, '{'), 1, networkWords.cutOff],
  ['half an answer, reset', sendAndReset(half, '{'), 1, networkWords.cutOff],
  ['half a chunk', sendAndClose(chunked, '9\r\n{'), 1, networkWords.cutOff],
];

describe('a GET is repeated after', () => {
  faultTable(passing.map(([name, fault]) => usable(name, [fault, good], { requests: 2 })));
});

describe('a GET that keeps failing is given up, after', () => {
  const repeating = (times: number) => ({ flags: ['--retries', `${times}`], requests: times + 1 });
  const missing = respond('', { status: '404 No' });
  faultTable([
    ...passing.map(([name, server, code, says]) => failing(name, server, code, says, repeating(1))),
    failing('three requests, unless told otherwise', retryAfter(0), 1, /./, { requests: 3 }),
    failing('as many as it was told', retryAfter(0), 1, /./, repeating(5)),
    failing('one, when it was told not to repeat', retryAfter(0), 1, /./, repeating(0)),
    failing('the last failure', [reset, retryAfter(0), missing], 5, /./, { requests: 3 }),
    failing('one that ran out of time in between', [retryAfter(0), silence], 7, /\b1s\b/, {
      flags: ['--timeout', '1s'],
      requests: 2,
    }),
    ...['-1', 'many', '1.5', '', '1e9'].map((value) =>
      failing(`nothing, when --retries is "${value}"`, good, 2, /--retries/, {
        flags: [`--retries=${value}`],
        requests: 0,
      }),
    ),
  ]);
});

describe('Retry-After', () => {
  const waiting = (least: number, most = least) =>
    ({ requests: 2, takesMs: [least, most] }) as const;
  faultsTogether('is waited for', [
    usable('in seconds', [retryAfter(1), good], waiting(1000)),
    usable('in parts of a second, against the standard', [retryAfter('1.1'), good], waiting(1100)),
    usable('as a date', [(socket) => retryAfter(inSeconds(2))(socket), good], waiting(1000, 2000)),
    usable('outside the deadline, which is for each request', [retryAfter(3), good], {
      ...waiting(3000),
      flags: ['--timeout', '2500ms'],
    }),
  ]);
  const atOnce = { takesMs: [0, 0] } as const;
  const farAway = 'Fri, 31 Dec 2100 23:59:59 GMT';
  faultTable([
    usable('of a date that is over is no wait', [retryAfter(inSeconds(-100)), good], waiting(0)),
    failing('of more than a minute is told', retryAfter(61), 1, /61 ?s|1m ?1s/, atOnce),
    failing('of 429 is told', retryAfter(3600, '429 Often'), 1, /3600 ?s|1 ?h|60 ?m/, atOnce),
    failing('as a far date is told', retryAfter(farAway), 1, /2100|\d+ ?(s|h|d)\b/, atOnce),
    failing(
      'as a far date of 429 is told, as a date',
      retryAfter(farAway, '429 Often'),
      1,
      /^(?!.*GMT s\b).*(2100|\d+ ?(s|h|d)\b)/s,
      atOnce,
    ),
    ...['soon', '-5', '99999999999999999999', '\x01', '0, 3600'].map((value) =>
      failing(`of ${JSON.stringify(value)} does no harm`, retryAfter(value), 1, /./, {
        ...atOnce,
        flags: ['--retries', '0'],
      }),
    ),
    usable('of a success means nothing', respond(body, { headers: ['Retry-After: 60'] }), atOnce),
  ]);
});

describe('what will not pass', () => {
  const refusals = [400, 402, 405, 406, 409, 410, 413, 415, 418, 422, 425, 451, 499];
  const statuses: (readonly [status: number, code: number, says: RegExp])[] = [
    ...refusals.map((status) => [status, 3, /said the service/] as const),
    [401, 4, /mar login/],
    [403, 4, /GET .* \(403\)/],
    [404, 5, /./],
    [412, 6, /./],
    ...[301, 302, 303, 307, 308, 501, 505, 507].map((status) => [status, 1, /./] as const),
  ];
  faultTable(
    statuses.map(([status, code, says]) =>
      failing(`is not asked for again: ${status}`, retryAfter(0, `${status} No`), code, says),
    ),
  );
});

describe('a repeated request', () => {
  it.each([80, undefined])('leaves no trace with columns %s', async (columns) => {
    const server = await faultyServer([retryAfter(0), reset, good]);
    const run = await mar([...getAsset, '--no-color'], { env: server.env, columns });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(3);
    // They are the same, byte for byte.
    expect(new Set(server.requests).size).toBe(1);
  });

  it('is announced on a terminal if the wait is long', async () => {
    const server = await faultyServer([retryAfter(2), good]);
    const run = startMar([...getAsset, '--no-color'], { env: server.env, columns: 80 });
    await run.stderr.until(`${networkWords.retrying('2 s')} (503)`);
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is for each of several records, and for each page', async () => {
    const pages = [respond('[{"_id":"f-1"}]'), retryAfter(0), respond('[{"_id":"f-2"}]'), reset];
    const server = await faultyServer([...pages, respond('[]')]);
    const run = await mar(['file', 'list', '--all', '--columns', '_id'], server);
    expect(run).toMatchObject({ code: 0, stdout: 'f-1\nf-2\n' });
    expect(server.requests).toHaveLength(5);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is not waited for after %s', async (signal, code) => {
    const server = await faultyServer(retryAfter(60));
    const start = performance.now();
    const run = startMar(getAsset, { env: server.env, columns: 80 });
    await run.stderr.until(networkWords.retrying(''));
    run.signal(signal);
    const outcome = await run.ended;
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(performance.now() - start).toBeLessThan(50_000);
    expect(server.requests).toHaveLength(1);
    expectNoHarm(outcome);
    await server.released();
  });
});
