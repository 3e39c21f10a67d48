import { EventEmitter, getEventListeners, once } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MarError } from '../../../src/core/errors.ts';
import type { HttpRequest } from '../../../src/core/http/message.ts';
import { trustedTls } from '../../harness/certificates.ts';
import {
  account,
  type FaultyServer,
  faultyServer,
  fullResponse,
  respond,
  silence,
} from '../../harness/faultyServer.ts';
import { mar } from '../../harness/mar.ts';
import { closed, failureOf, testTransport } from '../../harness/transport.ts';

const get = ({ baseUrl }: Pick<FaultyServer, 'baseUrl'>): HttpRequest => ({
  method: 'GET',
  isRead: true,
  url: new URL(`${baseUrl}/assets/a-1`),
  headers: {},
});

const ok = respond('{}');

/** The process does nothing for a while, as if it was stopped. */
const stop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a response', () => {
  it('comes as it is: status, headers and every byte', async () => {
    const body = Buffer.from([0x7b, 0x00, 0xff, 0xc3, 0x28, 0x7d]);
    const parts = { status: '418 Tea', headers: ['X-Thing: a, b'] };
    const server = await faultyServer(respond(body, parts));
    const answer = await testTransport().send(get(server));
    expect(answer).toMatchObject({ status: 418, headers: { 'x-thing': 'a, b' } });
    expect(answer.body.equals(body)).toBe(true);
  });
});

describe('a request', () => {
  it('to a name that does not exist is exit 7', async () => {
    const env = { ...account, MAR_BASE_URL: 'https://service.invalid/api' };
    const run = await mar(['asset', 'get', 'a-1'], { env });
    expect(run).toMatchObject({ code: 7, stdout: '' });
    expect(run.stderr).toContain('service.invalid');
  });
});

describe('the deadline', () => {
  it('is for each request anew', async () => {
    const server = await faultyServer([ok, silence, ok]);
    const transport = testTransport({ timeoutMs: 500 });
    expect((await transport.send(get(server))).status).toBe(200);
    expect((await failureOf(transport.send(get(server)))).kind).toBe('network');
    expect((await transport.send(get(server))).status).toBe(200);
    // The connection of the request that was given up is not used again.
    expect(server.connections).toHaveLength(2);
  });

  it('does not end a request whose response came while the process was stopped', async () => {
    const timeoutMs = 150;
    const server = await faultyServer((socket) => {
      socket.write(fullResponse('{}'));
      stop(2 * timeoutMs);
    });
    expect((await testTransport({ timeoutMs }).send(get(server))).status).toBe(200);
  });

  it.each([
    ['', 700],
    ['with TLS', 700],
    ['with TLS, for long', 1700],
  ])(
    'starts again if the process was stopped while a connection opened %s',
    async (how, stopMs) => {
      const { connect } = Socket.prototype;
      const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (
        this: Socket,
        ...options
      ) {
        const socket = connect.apply(this, options as Parameters<Socket['connect']>);
        stop(stopMs);
        return socket;
      });
      onTestFinished(() => spy.mockRestore());
      const { tls, caCert } = how === '' ? {} : trustedTls();
      const server = await faultyServer(ok, { tls });
      const transport = testTransport({ timeoutMs: 500, caCert });
      const request = { ...get(server), method: 'POST', isRead: false, body: '{}' };
      expect((await transport.send(request)).status).toBe(200);
      expect(server.requests).toHaveLength(1);
    },
  );

  it('ends a request although every timer of a busy machine is late', async () => {
    const server = await faultyServer(silence);
    const timeoutMs = 50;
    const busy = setInterval(() => stop(4 * timeoutMs), 1);
    onTestFinished(() => clearInterval(busy));
    expect((await failureOf(testTransport({ timeoutMs }).send(get(server)))).kind).toBe('network');
  });
});

describe('a connection', () => {
  it('is let go when the transport is closed', async () => {
    const server = await faultyServer(ok);
    const transport = testTransport();
    await transport.send(get(server));
    expect(server.connections[0]?.destroyed).toBe(false);
    transport.close();
    await closed(server.connections[0]);
  });
});

describe('an interruption', () => {
  const reason = new MarError('interrupted', 'interrupted');

  it.each([
    ['before an answer', ''],
    ['in the middle of headers', 'HTTP/1.1 200 OK\r\nX:'],
    ['in the middle of a body', fullResponse('{}').subarray(0, -1)],
  ])('%s ends the request with its reason, and the connection', async (_name, begin) => {
    const arrived = new EventEmitter();
    const server = await faultyServer((socket) => {
      socket.write(begin, () => arrived.emit('request'));
    });
    const interruption = new AbortController();
    const seen = once(arrived, 'request');
    const outcome = failureOf(testTransport({ signal: interruption.signal }).send(get(server)));
    await seen;
    interruption.abort(reason);
    expect(await outcome).toBe(reason);
    await closed(server.connections[0]);
  });

  it('that came already sends nothing', async () => {
    const server = await faultyServer(ok);
    const transport = testTransport({ signal: AbortSignal.abort(reason) });
    expect(await failureOf(transport.send(get(server)))).toBe(reason);
    expect(server.connections).toEqual([]);
  });

  it('is not waited for any more once the response is there', async () => {
    const server = await faultyServer(ok);
    const { signal } = new AbortController();
    const transport = testTransport({ signal });
    for (let count = 0; count < 3; count += 1) await transport.send(get(server));
    await failureOf(transport.send(get({ baseUrl: 'http://127.0.0.1:1/api' })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
