import net from 'node:net';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/modules/sandbox/start.ts';
import { basic, demo, demoSandbox, loggedIn, portOf, sendRaw, tokenOf } from './harness.ts';

/** Shows that the service still works. */
async function expectAlive(sandbox: Sandbox): Promise<void> {
  const call = await loggedIn(sandbox);
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  expect((await call('POST', '/files', { body: { name: 'alive' } })).status).toBe(200);
}

/** Expects an error response that reveals nothing about the implementation. */
function expectError(raw: string, status: number): void {
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(raw.toLowerCase()).toContain('x-request-id: ');
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toEqual({
    error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
  });
  expect(body).not.toMatch(/\bat .*\.[jt]s|node:|SQLITE/);
}

const local = 'HTTP/1.1\r\nHost: localhost\r\n';

const close = 'Connection: close\r\n\r\n';

test.each([
  [`GET http://evil.example/api/session ${local}${close}`, 403],
  [`GET http://localhost/api/session HTTP/1.1\r\nHost: evil.example\r\n${close}`, 401],
  [`OPTIONS * ${local}${close}`, 404],
  [`GET /api/../../etc/passwd ${local}${close}`, 404],
  [`GET /api/${'/'.repeat(5000)} ${local}${close}`, 404],
  [`GET /api/session ${local}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`, 401],
  ['GET /api/session HTTP/1.0\r\nHost: localhost\r\n\r\n', 401],
])('the request %j gets a plain response', async (bytes, status) => {
  const sandbox = await demoSandbox();
  expectError(await sendRaw(sandbox, bytes), status);
  await expectAlive(sandbox);
});

/** The head of a request by a logged-in user. */
async function headOf(sandbox: Sandbox, line: string, ...more: string[]): Promise<string> {
  const authorization = basic(demo.email, `token-${await tokenOf(sandbox)}`);
  const lines = [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: ${authorization}`, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const jsonType = 'Content-Type: application/json';

test('a body that breaks off leaves nothing behind', async () => {
  const sandbox = await demoSandbox();
  const head = await headOf(sandbox, 'POST /api/files', jsonType, 'Content-Length: 100');
  await sendRaw(sandbox, `${head}{"_id":"f-broken"`, { halfClose: true });
  const call = await loggedIn(sandbox);
  const { json } = await call('GET', '/files/_slug');
  expect(json.map(({ _id }: { _id: string }) => _id)).not.toContain('f-broken');
  await expectAlive(sandbox);
});

/** Sends everything before it reads the response. */
async function sendBlindly(sandbox: Sandbox, chunks: Iterable<string | Buffer>): Promise<string> {
  const socket = net.connect(portOf(sandbox), '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const chunk of chunks) {
    await new Promise((done) => socket.write(chunk, done));
    if (socket.destroyed) break;
  }
  socket.on('data', (chunk) => received.push(chunk));
  await closed;
  return Buffer.concat(received).toString('utf8');
}

test('a client that sends far too much before it reads still gets the error', async () => {
  const sandbox = await demoSandbox();
  const mebibyte = 1024 * 1024;
  const length = `Content-Length: ${64 * mebibyte}`;
  const head = await headOf(sandbox, 'POST /api/files', jsonType, 'Connection: close', length);
  const body = Array.from({ length: 64 }, () => Buffer.alloc(mebibyte, 'x'));
  expectError(await sendBlindly(sandbox, [head, ...body]), 413);
  await expectAlive(sandbox);
});

test('ids and phases such as __proto__ are like any other', async () => {
  const call = await loggedIn(await demoSandbox());
  for (const id of ['__proto__', 'constructor', 'hasOwnProperty']) {
    expect((await call('GET', `/assets/${id}`)).status).toBe(404);
    expect((await call('GET', `/${id}/x`)).status).toBe(404);
  }
  const phase = { _id: 'a-1001', workflow: { phase: '__proto__', definition: { phases: {} } } };
  expect((await call('PUT', '/assets', { body: phase })).status).toBe(200);
});

test('closing ends idle connections, and can be called twice', async () => {
  const sandbox = await demoSandbox();
  const socket = net.connect(portOf(sandbox), '127.0.0.1');
  await new Promise((resolve) => socket.on('connect', resolve));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.resume();
  socket.write('GET /api/session HTTP/1.1\r\nHost: loc');
  await Promise.all([sandbox.close(), sandbox.close(), ended]);
});
