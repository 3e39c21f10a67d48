import net from 'node:net';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { randomNumbers } from '../harness/random.ts';
import { basic, demo, demoSandbox, loggedIn, portOf, sendRaw, tokenOf } from './harness.ts';

/** Shows that the service still works. */
async function expectAlive(sandbox: Sandbox): Promise<void> {
  const call = await loggedIn(sandbox);
  expect((await call('GET', '/assets/a-1001')).status).toBe(200);
  const { status } = await call('POST', '/files', { body: { name: 'alive' } });
  expect(status).toBe(200);
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

test.each([
  ['bytes that are no HTTP', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
  ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex')],
  ['headers beyond all measure', `GET /api/session ${local}X: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['a request for a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['no host', 'GET /api/session HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['garbage without end', 'garbage\r\n\r\n'.repeat(5000)],
  ['garbage after a request', `GET /api/nothing ${local}\r\n${'garbage\r\n\r\n'.repeat(20)}`],
])('%s is refused or cut off, and the service keeps running', async (_what, bytes) => {
  const sandbox = await demoSandbox();
  // Closing a connection with unread bytes may lose the response.
  expect(await sendRaw(sandbox, bytes)).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
  await expectAlive(sandbox);
});

const closing = (lines: string) => `${lines}Connection: close\r\n\r\n`;

test.each([
  [
    'an absolute target for another host',
    closing(`GET http://evil.example/api/session ${local}`),
    403,
  ],
  [
    'an absolute target for this host',
    closing('GET http://localhost/api/session HTTP/1.1\r\nHost: evil.example\r\n'),
    401,
  ],
  ['the server as a whole', closing(`OPTIONS * ${local}`), 404],
  ['a path that climbs', closing(`GET /api/../../etc/passwd ${local}`), 404],
  ['a path of slashes', closing(`GET /api/${'/'.repeat(5000)} ${local}`), 404],
  [
    'an upgrade',
    `GET /api/session ${local}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    401,
  ],
  ['HTTP/1.0', 'GET /api/session HTTP/1.0\r\nHost: localhost\r\n\r\n', 401],
])('a request with %s gets a plain response', async (_what, bytes, status) => {
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

function randomBytes(seed: number): () => number {
  const next = randomNumbers(seed);
  return () => next(256);
}

/** Sends everything before it reads the response. */
function sendBlindly(sandbox: Sandbox, chunks: Iterable<string | Buffer>): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(portOf(sandbox), '127.0.0.1');
    const received: Buffer[] = [];
    socket.pause();
    socket.on('error', () => {});
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(received).toString('utf8')));
    const writeAll = async () => {
      for (const chunk of chunks) {
        await new Promise((done) => socket.write(chunk, done));
        if (socket.destroyed) return;
      }
    };
    void writeAll().finally(() => socket.resume());
  });
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

test('a hundred requests in one write get a hundred responses', async () => {
  const sandbox = await demoSandbox();
  const one = await headOf(sandbox, 'GET /api/assets/a-1001');
  const last = await headOf(sandbox, 'GET /api/assets/a-1001', 'Connection: close');
  const raw = await sendRaw(sandbox, `${one.repeat(99)}${last}`);
  expect(raw.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(100);
});

test('clients that hang up at any moment do no harm', async () => {
  const sandbox = await demoSandbox();
  const login = `GET /api/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(demo.email, demo.password)}\r\n\r\n`;
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => {
      return new Promise<void>((resolve) => {
        const socket = net.connect(portOf(sandbox), '127.0.0.1', () => {
          socket.write(login.slice(0, (at * login.length) / 39), () => {
            socket.resetAndDestroy();
          });
        });
        socket.on('close', () => resolve());
        socket.on('error', () => {});
      });
    }),
  );
  await expectAlive(sandbox);
});

test('random bytes in place of a request never crash the service', async () => {
  const sandbox = await demoSandbox();
  const next = randomBytes(7);
  for (let round = 0; round < 60; round += 1) {
    const noise = Buffer.from(Array.from({ length: 1 + next() * 4 }, next));
    const start = round % 2 === 0 ? '' : 'PUT /api/assets HTTP/1.1\r\nHost: localhost\r\n';
    await sendRaw(sandbox, Buffer.concat([Buffer.from(start), noise]), { halfClose: true });
  }
  await expectAlive(sandbox);
});

test('bodies of every shape are accepted or rejected without an internal error', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const next = randomBytes(11);
  const leaves = ['"\\ud800"', '"a-1001"', '""', '1e999', '-0', '9007199254740993', 'null', 'true'];
  const references = ['_id', 'asset', 'project', 'from', 'history', 'translation', 'groups'];
  const others = ['language', 'created', '$links', 'workflow', 'phase', 'thumbnail', 'emailNormal'];
  const keys = [...references, ...others, '__proto__'];
  const pick = (choices: string[]) => choices[next() % choices.length] ?? '';
  const value = (depth: number): string => {
    const kind = next() % 5;
    if (depth > 3 || kind < 3) return pick(leaves);
    return kind === 3 ? `[${value(depth + 1)},${value(depth + 1)}]` : object(depth + 1);
  };
  const object = (depth: number): string => {
    const names = new Set(Array.from({ length: next() % 6 }, () => pick(keys)));
    return `{${[...names].map((name) => `"${name}":${value(depth)}`).join(',')}}`;
  };
  const targets = ['POST /workrequests', 'POST /translations', 'POST /files', 'PUT /assets'];
  const moreTargets = ['PUT /session/u-tom', 'PUT /offlines/o-6001', 'PUT /events'];
  for (let round = 0; round < 400; round += 1) {
    const [method = '', path = ''] = pick([...targets, ...moreTargets]).split(' ');
    const body = object(0);
    const { status } = await call(method, path, { body });
    expect([200, 400, 404, 409], `${method} ${path} ${body}`).toContain(status);
  }
  await expectAlive(sandbox);
});

test('keys such as __proto__ are stored like any other key', async () => {
  const sandbox = await demoSandbox();
  const call = await loggedIn(sandbox);
  const body = '{"_id":"wr-p","__proto__":{"status":"x"},"toString":1,"$links":{"__proto__":"y"}}';
  const { text } = await call('POST', '/workrequests', { body });
  expect(text).toContain('"__proto__":{"status":"x"}');
  expect(text).toContain('"status":"incomplete"');
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
