import { EventEmitter, getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MarError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/http/message.ts';
import { Redactor } from '../../src/http/redact.ts';
import {
  createTransport,
  type Transport,
  type TransportOptions,
} from '../../src/http/transport.ts';
import { mar } from '../harness/mar.ts';

interface WireServer {
  port: number;
  url: URL;
  /** Each connection that was made, in order. */
  connections: Socket[];
}

/** A service on bare sockets: what it does with each request is up to the test. */
async function wireServer(
  onRequest: (socket: Socket, request: string, count: number) => void,
  host = '127.0.0.1',
): Promise<WireServer> {
  const connections: Socket[] = [];
  let count = 0;
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      count += 1;
      onRequest(socket, data.toString('latin1'), count);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const shown = host.includes(':') ? `[${host}]` : host;
  return { port, url: new URL(`http://${shown}:${port}/api/assets/a-1`), connections };
}

function transportWith(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({
    env: {},
    retries: 0,
    timeoutMs: 5000,
    maxBodyBytes: 1000,
    redactor: new Redactor(),
    baseUrlName: 'the base URL',
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

const get = (url: URL): HttpRequest => ({ method: 'GET', url, headers: {} });

async function failure(sending: Promise<unknown>): Promise<MarError> {
  const error = await sending.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (error instanceof MarError) return error;
  throw error;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A reset is an end like any other here. */
const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (!socket || socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

describe('a response', () => {
  it('comes as it is: status, headers and every byte', async () => {
    const body = Buffer.from([0x7b, 0x00, 0xff, 0xc3, 0x28, 0x7d]);
    const { url } = await wireServer((socket) => {
      socket.write(`HTTP/1.1 418 Tea\r\nX-Thing: a, b\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    const answer = await transportWith().send(get(url));
    expect(answer).toMatchObject({ status: 418, headers: { 'x-thing': 'a, b' } });
    expect(answer.body.equals(body)).toBe(true);
  });

  it('may be empty', async () => {
    const { url } = await wireServer((socket) => {
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const answer = await transportWith().send(get(url));
    expect([answer.status, answer.body.length]).toEqual([204, 0]);
  });
});

describe('a request', () => {
  it('to a name that does not exist is exit 7', async () => {
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'https://service.invalid/api' };
    const run = await mar(['asset', 'get', 'a-1'], { env });
    expect(run).toMatchObject({ code: 7, stdout: '' });
    expect(run.stderr).toContain('host service.invalid not found');
  });

  it('reaches a service on IPv6', async ({ skip }) => {
    const server = await wireServer((socket) => socket.write(ok), '::1').catch(() => undefined);
    if (!server && !process.env.CI) return skip('there is no IPv6 here');
    if (!server) throw new Error('there is no IPv6 here');
    const answer = await transportWith().send(get(server.url));
    expect(answer.body.toString()).toBe('{}');
    const variables = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b' };
    const env = { ...variables, MAR_BASE_URL: `http://[::1]:${server.port}/api` };
    expect(await mar(['asset', 'get', 'a-1', '--json'], { env })).toMatchObject({
      code: 0,
      stdout: '{}\n',
    });
  });
});

describe('the deadline', () => {
  const timeoutMs = 150;

  it('is for each request anew', async () => {
    const server = await wireServer((socket, _request, count) => {
      if (count !== 2) socket.write(ok);
    });
    const transport = transportWith({ timeoutMs });
    expect((await transport.send(get(server.url))).status).toBe(200);
    expect((await failure(transport.send(get(server.url)))).kind).toBe('network');
    expect((await transport.send(get(server.url))).status).toBe(200);
  });
});

describe('a connection', () => {
  it('is kept across the pages of a list', async () => {
    const pages = ['[{"_id":"f-1"}]', '[{"_id":"f-2"}]', '[]'];
    const server = await wireServer((socket, _request, count) => {
      const body = pages[count - 1] ?? '[]';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: `${server.url.origin}/api` };
    const run = await mar(['file', 'list', '--all', '--columns', '_id'], { env });
    expect(run).toMatchObject({ code: 0, stdout: 'f-1\nf-2\n' });
    expect(server.connections).toHaveLength(1);
  });

  it('is not used again after a request on it was given up', async () => {
    const server = await wireServer((socket, _request, count) => {
      if (count > 1) socket.write(ok);
    });
    const transport = transportWith({ timeoutMs: 100 });
    await failure(transport.send(get(server.url)));
    expect((await transport.send(get(server.url))).status).toBe(200);
    expect(server.connections).toHaveLength(2);
  });

  it('is let go when the transport is closed', async () => {
    const server = await wireServer((socket) => socket.write(ok));
    const transport = transportWith();
    await transport.send(get(server.url));
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
    ['in the middle of a body', `${chunked}1\r\n{\r\n`],
  ])('%s ends the request with its reason, and the connection', async (_name, begin) => {
    const arrived = new EventEmitter();
    const server = await wireServer((socket) => {
      socket.write(begin, () => arrived.emit('request'));
    });
    const interruption = new AbortController();
    const seen = once(arrived, 'request');
    const sending = transportWith({ signal: interruption.signal }).send(get(server.url));
    const outcome = failure(sending);
    await seen;
    interruption.abort(reason);
    expect(await outcome).toBe(reason);
    await closed(server.connections[0]);
  });

  it('that came already sends nothing', async () => {
    const server = await wireServer((socket) => socket.write(ok));
    const transport = transportWith({ signal: AbortSignal.abort(reason) });
    expect(await failure(transport.send(get(server.url)))).toBe(reason);
    expect(server.connections).toEqual([]);
  });

  it('is not waited for any more once the response is there', async () => {
    const server = await wireServer((socket) => socket.write(ok));
    const { signal } = new AbortController();
    const transport = transportWith({ signal });
    for (let count = 0; count < 3; count += 1) await transport.send(get(server.url));
    await failure(transport.send(get(new URL('http://127.0.0.1:1/api'))));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
