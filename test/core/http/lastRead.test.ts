import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MarError } from '../../../src/core/errors.ts';
import type { HttpRequest, Revision } from '../../../src/core/http/message.ts';
import { Redactor } from '../../../src/core/http/redact.ts';
import { createTrace } from '../../../src/core/http/trace.ts';
import type { TransportOptions } from '../../../src/core/http/transport.ts';
import { trustedTls } from '../../harness/certificates.ts';
import {
  type Fault,
  type FaultyServer,
  type FaultyServerOptions,
  faultyServer,
  fullResponse,
  hangUp,
  reset,
  respond,
  send as sendBytes,
  silence,
  tunnelTo,
} from '../../harness/faultyServer.ts';
import { closed, failureOf, testTransport } from '../../harness/transport.ts';
import { networkWords } from '../../words/network.ts';
import { watchProcess } from './faults/rows.ts';

type Look = NonNullable<HttpRequest['lastRead']>;

/** Something that happens once, and can be awaited. */
function moment() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}

/** A service with one record. A PUT replaces it. */
async function openService({
  options,
  put = (socket, body) => socket.write(fullResponse(body)),
}: {
  options?: FaultyServerOptions;
  put?: (socket: Socket, body: string) => void;
} = {}) {
  const service = { record: '{"name":"old"}' };
  const server = await faultyServer((socket) => {
    const [head = '', body = ''] = (server.requests.at(-1) ?? '').split('\r\n\r\n');
    if (head.startsWith('GET')) return void socket.write(fullResponse(service.record));
    service.record = body;
    put(socket, body);
  }, options);
  return Object.assign(service, {
    server,
    puts: () => server.requests.filter((request) => request.startsWith('PUT')),
  });
}

function openTransport(
  { server }: { server: Pick<FaultyServer, 'baseUrl'> },
  options: Partial<TransportOptions> = {},
) {
  const transport = testTransport(options);
  const url = new URL(`${server.baseUrl}/assets/a-1`);
  return {
    transport,
    read: async () =>
      String((await transport.send({ method: 'GET', isRead: true, url, headers: {} })).body),
    put: (lastRead?: Look, until?: AbortSignal) =>
      transport.send(
        { method: 'PUT', isRead: false, url, headers: {}, body: '{"name":"mine"}', lastRead },
        until,
      ),
  };
}

/** Counts the looks, and how many of them ran at a time. */
function counted(look: (number: number) => Promise<Revision | undefined>) {
  const counts = { looks: 0, atOnce: 0 };
  let running = 0;
  const lastRead: Look = async () => {
    counts.looks += 1;
    running += 1;
    counts.atOnce = Math.max(counts.atOnce, running);
    try {
      return await look(counts.looks);
    } finally {
      running -= 1;
    }
  };
  return { counts, lastRead };
}

watchProcess();

describe('the last look comes after', () => {
  it.each(['TLS handshake', 'proxy'])('a slow %s', async (what) => {
    const { tls, caCert } = trustedTls();
    const service = await openService({ options: { tls } });
    const { port } = service.server;
    const [arrived, released] = [moment(), moment()];
    const holdFirst = async (server: FaultyServer) => {
      if (server.connections.length > 1) return;
      arrived.happen();
      await released.happened;
    };
    const proxy: FaultyServer = await faultyServer(async (socket) => {
      await holdFirst(proxy);
      tunnelTo(port)(socket);
    });
    const relay: FaultyServer = await faultyServer(silence, {
      onConnect: async (socket) => {
        socket.removeAllListeners('data');
        socket.pause();
        await holdFirst(relay);
        const upstream = connect(port, '127.0.0.1');
        upstream.on('error', () => socket.destroy());
        socket.pipe(upstream).pipe(socket);
      },
      scheme: 'https',
    });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { read, put } =
      what === 'proxy'
        ? openTransport(service, { caCert, env })
        : openTransport({ server: relay }, { caCert });
    const { counts, lastRead } = counted(async () => ({ body: await read() }));
    const sending = put(lastRead);
    await arrived.happened;
    // A look that came too early would be over by the end of this read.
    await read();
    service.record = '{"name":"theirs"}';
    expect(counts.looks).toBe(0);
    released.happen();
    await sending;
    expect(service.puts()).toEqual([expect.stringMatching(/\r\n\r\n\{"name":"theirs"\}$/)]);
    expect(counts).toEqual({ looks: 1, atOnce: 1 });
    // Reads and writes share no connection.
    expect(service.server.connections).toHaveLength(2);
  });

  it('the check of a kept connection, to which nothing was written before', async () => {
    const service = await openService();
    const { put } = openTransport(service);
    await put();
    const { counts, lastRead } = counted(async (number) => {
      await pause();
      expect(service.puts()).toHaveLength(number);
      return undefined;
    });
    await put(lastRead);
    for (const socket of service.server.connections) socket.end();
    await put(lastRead);
    expect(counts.looks).toBe(2);
    expect(service.puts()).toHaveLength(3);
    expect(service.server.connections).toHaveLength(2);
  });
});

describe('the last look decides what is sent:', () => {
  it('its body and headers, with the length of that body, or what there was', async () => {
    const service = await openService();
    const { put } = openTransport(service);
    await put();
    await put(async () => undefined);
    await put(async () => ({ body: '{"name":"Zoë"}', headers: { 'If-Match': '"2"' } }));
    const [first, second, third] = service.puts();
    expect(second).toBe(first);
    expect(third?.split('\r\n')).toEqual([
      'PUT /api/assets/a-1 HTTP/1.1',
      'Content-Length: 15',
      `Host: 127.0.0.1:${service.server.port}`,
      'If-Match: "2"',
      'Connection: keep-alive',
      '',
      '{"name":"Zoë"}',
    ]);
  });

  it.each([
    ['a refusal', new MarError('changed', 'changed by others', { hint: 'Look at it.' })],
    ['a failed read', new MarError('network', 'no route', { retryable: true })],
  ])('nothing, after %s', async (_name, reason) => {
    const service = await openService();
    const { put } = openTransport(service);
    const error = await failureOf(put(() => Promise.reject(reason)));
    const { kind, message, details } = reason;
    expect(error).toMatchObject({ kind, message, details: { ...details, outcome: 'not-sent' } });
    expect(reason.details.outcome).toBeUndefined();
    await closed(service.server.connections[0]);
    expect(service.server).toMatchObject({ bytes: 0, connections: { length: 1 } });
    expect((await put()).status).toBe(200);
  });

  it('nothing, after an error of any other kind, which comes out unchanged', async () => {
    const service = await openService();
    const { put } = openTransport(service);
    const reason = new TypeError('a bug');
    await expect(put(() => Promise.reject(reason))).rejects.toBe(reason);
    expect(service.server.bytes).toBe(0);
  });

  it('and the trace prints it', async () => {
    const service = await openService();
    const lines: string[] = [];
    const trace = createTrace(new Redactor(), (line) => lines.push(line), true);
    const { read, put } = openTransport(service, { trace: async () => trace });
    await put(async () => ({ body: await read(), headers: { 'If-Match': '"2"' } }));
    const url = `${service.server.baseUrl}/assets/a-1`;
    expect(lines.filter((line) => /^>|If-Match|name/.test(line))).toEqual([
      `> PUT ${url}, 15 B`,
      '    {"name":"mine"}',
      `> GET ${url}`,
      '    {"name":"old"}',
      `> PUT ${url}, 14 B`,
      '    If-Match: "2"',
      '    {"name":"old"}',
      '    {"name":"old"}',
    ]);
  });
});

describe('a connection that is closed during the last look', () => {
  const forge = sendBytes(fullResponse('{"name":"forged"}'));
  it.each<[scheme: string, age: string, event: string, spoil: Fault]>(
    ['http', 'https'].flatMap((scheme) =>
      ['new', 'kept'].flatMap((age) => [
        [scheme, age, 'an end', hangUp],
        [scheme, age, 'a reset', reset],
        [scheme, age, 'a response', forge],
      ]),
    ),
  )('(%s, %s, by %s) is replaced, with another look', async (scheme, age, _event, spoil) => {
    const isKept = age === 'kept';
    const { tls, caCert } = scheme === 'https' ? trustedTls() : {};
    const accepted = moment();
    const service = await openService({ options: { tls, onConnect: accepted.happen } });
    const { connections } = service.server;
    const { read, put } = openTransport(service, { caCert });
    if (isKept) await put();
    const { counts, lastRead } = counted(async (number) => {
      if (number === 1) {
        // The client is done with the handshake first.
        await accepted.happened;
        const socket = connections.at(-1) as Socket;
        spoil(socket);
        await closed(socket);
        // The second look waits for the end of the first.
        await pause();
        service.record = '{"name":"theirs"}';
      }
      return { body: await read() };
    });
    const response = await put(lastRead);
    expect(String(response.body)).toBe('{"name":"theirs"}');
    expect(counts).toEqual({ looks: 2, atOnce: 1 });
    expect(service.puts()).toHaveLength(isKept ? 2 : 1);
    expect(service.puts().at(-1)).toContain('{"name":"theirs"}');
  });

  it.each<[event: string, spoil: Fault]>([
    ['an end', hangUp],
    ['a reset', reset],
    ['a response', forge],
  ])('is replaced also if %s has arrived, but was not read yet', async (_event, spoil) => {
    const accepted = moment();
    const service = await openService({ options: { onConnect: accepted.happen } });
    const { put } = openTransport(service);
    const { counts, lastRead } = counted(async (number) => {
      if (number === 1) {
        await accepted.happened;
        spoil(service.server.connections[0] as Socket);
      }
      return undefined;
    });
    expect(String((await put(lastRead)).body)).toBe('{"name":"mine"}');
    expect(counts).toEqual({ looks: 2, atOnce: 1 });
    expect(service.puts()).toHaveLength(1);
  });

  it('is not replaced if the look refuses the write', async () => {
    const service = await openService();
    const { connections } = service.server;
    const { put } = openTransport(service);
    const error = await failureOf(
      put(async () => {
        connections[0]?.end();
        await closed(connections[0]);
        throw new MarError('changed', 'changed by others');
      }),
    );
    expect(error).toMatchObject({ kind: 'changed', details: { outcome: 'not-sent' } });
    expect(service.server).toMatchObject({ bytes: 0, connections: { length: 1 } });
  });

  it.each<[name: string, spoil: Fault, says: string]>([
    ['is closed', hangUp, networkWords.closed],
    ['gets a response', respond('{}'), networkWords.closed],
  ])('is replaced a few times only, if each of them %s', async (_name, spoil, says) => {
    const service = await openService();
    const { connections } = service.server;
    const { put } = openTransport(service);
    const { counts, lastRead } = counted(async (number) => {
      const socket = connections[number - 1] as Socket;
      spoil(socket);
      await closed(socket);
      return undefined;
    });
    const error = await failureOf(put(lastRead));
    expect(error.message).toContain(says);
    const details = { outcome: 'not-sent', retryable: true };
    expect(error).toMatchObject({ kind: 'network', details });
    expect(counts).toEqual({ looks: 3, atOnce: 1 });
    expect(service.server).toMatchObject({ bytes: 0, connections: { length: 3 } });
  });
});

describe('a connection that cannot be opened gets no look, but its own error at once', () => {
  const timeoutMs = 200;
  it.each<[name: string, open: () => Promise<Partial<TransportOptions>>, facts: object]>([
    ['if nobody listens', async () => ({}), { cause: 'ECONNREFUSED' }],
    [
      'if the proxy refuses it',
      async () => {
        const { port } = await faultyServer(sendBytes('HTTP/1.1 403 Forbidden\r\n\r\n'));
        return { env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } };
      },
      { message: expect.stringMatching(/^the proxy .*\(403\)$/) },
    ],
  ])('%s', async (_name, open, facts) => {
    const options = await open();
    const baseUrl = `${options.env ? 'https' : 'http'}://127.0.0.1:1/api`;
    await expectNoLook(openTransport({ server: { baseUrl } }, options), facts);
  });

  it.each<[name: string, options: () => FaultyServerOptions, cause: string]>([
    ['hangs up', () => ({ scheme: 'https', onConnect: hangUp }), 'ECONNRESET'],
    ['is not trusted', () => ({ tls: trustedTls().tls }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['never answers', () => ({ scheme: 'https' }), 'timeout'],
  ])('if the service %s at the handshake', async (_name, options, cause) => {
    const service = await openService({ options: options() });
    await expectNoLook(openTransport(service, { systemCa: false, timeoutMs }), { cause });
    expect(service.puts()).toEqual([]);
  });
});

async function expectNoLook({ put }: ReturnType<typeof openTransport>, facts: object) {
  const { counts, lastRead } = counted(async () => undefined);
  const error = await failureOf(put(lastRead));
  expect(error.facts).toMatchObject({ ...facts, outcome: 'not-sent' });
  expect(counts.looks).toBe(0);
}

describe('the deadline', () => {
  const timeoutMs = 200;
  const slowLook: Look = async () => {
    await pause(2 * timeoutMs);
    return undefined;
  };

  const stop = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeoutMs);
  };
  it.each<[name: string, onConnect?: Fault]>([
    ['does not run during the look'],
    ['does not end a request whose connection was opened while the process was stopped', stop],
  ])('%s', async (_name, onConnect) => {
    const service = await openService({ options: { onConnect } });
    const { put } = openTransport(service, { timeoutMs });
    expect((await put(slowLook)).status).toBe(200);
  });

  it('starts over after the look', async () => {
    const service = await openService({ put: silence });
    const { put } = openTransport(service, { timeoutMs });
    const error = await failureOf(put(slowLook));
    expect(error.facts).toMatchObject({ cause: 'timeout', outcome: 'unknown' });
    expect(service.puts()).toHaveLength(1);
  });
});

it.each(['fails', 'succeeds'])(
  'an abort during the look ends the request at once, unsent, also if the look %s later',
  async (end) => {
    const service = await openService();
    const { put } = openTransport(service);
    const interruption = new AbortController();
    const reason = new MarError('interrupted', 'interrupted');
    const [looking, ended] = [moment(), moment()];
    const sending = put(async () => {
      looking.happen();
      await ended.happened;
      if (end === 'fails') throw new Error('too late');
      return { body: '{}' };
    }, interruption.signal);
    await looking.happened;
    interruption.abort(reason);
    await expect(sending).rejects.toBe(reason);
    ended.happen();
    await closed(service.server.connections[0]);
    expect(service.server.bytes).toBe(0);
    expect(reason.details.outcome).toBeUndefined();
  },
);
