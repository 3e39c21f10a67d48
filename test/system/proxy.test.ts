import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loopbackHosts, makeAuthority, makeCertificate } from '../harness/certificates.ts';
import { freePort } from '../harness/daemon.ts';
import { startNginx } from '../harness/nginx.ts';
import { runProgram } from '../harness/program.ts';
import { account } from '../harness/recordingServer.ts';
import { isolated, startService } from '../harness/service.ts';
import { startSquid } from '../harness/squid.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--set', 'language=fra', '--json'];
const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };

/** What has to be encoded in a URL, and what decodes to something else when it is decoded twice. */
const user = 'ines@northlight';
const password = 'canary:pä ss/%41-7f3a9c';

/** Every form in which the proxy's password could slip out. */
const forms = [
  password,
  encodeURIComponent(password),
  encodeURI(password),
  ...[`${user}:${password}`, password].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ),
  'canary',
  '7f3a9c',
];
const leaks = (text: string) => forms.filter((form) => text.includes(form));

type SquidOptions = Partial<Parameters<typeof startSquid>[0]>;

/** A service over plain http, and a proxy that can be used with the right user and password. */
async function openHttp(options: SquidOptions = {}) {
  const [service, squid] = await Promise.all([
    startService(),
    startSquid({ user, password, ...options }),
  ]);
  const asked = `GET ${service.baseUrl}/assets/a-1001 200 ${user}`;
  return { service, squid, asked, proxy: squid.urlFor(user, password) };
}

/** The same with TLS, behind nginx. */
async function openHttps(options: SquidOptions = {}) {
  const authority = makeAuthority('Northlight Root');
  const certificate = makeCertificate({ name: 'media', issuer: authority, hosts: loopbackHosts });
  const service = await startService();
  const nginx = await startNginx({ service: service.baseUrl, certificate });
  const squid = await startSquid({ user, password, ...options });
  const proxy = squid.urlFor(user, password);
  const baseUrl = `https://localhost:${nginx.port}/api`;
  return { service, nginx, squid, proxy, baseUrl, ca: ['--ca-cert', authority.file] };
}

interface RawProxy {
  port: number;
  /** What came over each connection. */
  connections: string[];
}

/** A proxy that writes down what comes over each connection; what it does then is up to the test. */
async function startRawProxy(serve: (socket: Socket, head: string) => void): Promise<RawProxy> {
  const connections: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const index = connections.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', function read(data) {
      const head = connections[index] + data.toString('latin1');
      connections[index] = head;
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      serve(socket, head);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, connections };
}

describe('a request over plain http', () => {
  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])(
    'goes through the proxy that %s names',
    async (variable) => {
      const { service, squid, asked, proxy } = await openHttp();
      const env = service.at(service.baseUrl, { [variable]: proxy });
      expect(await runProgram(get, env)).toMatchObject(found);
      await expect.poll(squid.requests).toEqual([asked]);
    },
  );

  it('writes through the proxy, once', async () => {
    const { service, squid, proxy } = await openHttp();
    const env = service.at(service.baseUrl, { HTTP_PROXY: proxy });
    const { code, stdout, stderr } = await runProgram(create, env);
    expect(code, stderr).toBe(0);
    const straight = service.at(service.baseUrl);
    const read = await runProgram(['wr', 'get', JSON.parse(stdout)._id, '--json'], straight);
    expect(read.stdout).toBe(stdout);
    await expect
      .poll(squid.requests)
      .toEqual([expect.stringMatching(/^POST \S+\/api\/workrequests 20\d /)]);
  });

  it('takes a proxy without a scheme', async () => {
    const { service, squid, asked, proxy } = await openHttp();
    const env = service.at(service.baseUrl, { HTTP_PROXY: proxy.replace('http://', '') });
    expect(await runProgram(get, env)).toMatchObject(found);
    await expect.poll(squid.requests).toEqual([asked]);
  });

  const choices: Record<string, (proxy: string, dead: string) => Record<string, string>> = {
    'the small letters before the capitals': (proxy, dead) => ({
      http_proxy: proxy,
      HTTP_PROXY: dead,
    }),
    'the one for its scheme before the one for all': (proxy, dead) => ({
      HTTP_PROXY: proxy,
      all_proxy: dead,
    }),
    'the one for all when its own is empty': (proxy) => ({ HTTP_PROXY: '', ALL_PROXY: proxy }),
  };
  it.each(Object.entries(choices))('takes %s', async (_name, variables) => {
    const { service, squid, asked, proxy } = await openHttp();
    const dead = `http://127.0.0.1:${await freePort()}`;
    expect(
      await runProgram(get, service.at(service.baseUrl, variables(proxy, dead))),
    ).toMatchObject(found);
    await expect.poll(squid.requests).toEqual([asked]);
  });

  it('has nothing to do with HTTPS_PROXY', async () => {
    const { service, squid, proxy } = await openHttp();
    const env = service.at(service.baseUrl, { HTTPS_PROXY: proxy });
    expect(await runProgram(get, env)).toMatchObject(found);
    expect(squid.requests()).toEqual([]);
  });
});

describe('a request over https', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
    'goes through a tunnel of the proxy that %s names',
    async (variable) => {
      const { service, nginx, squid, proxy, baseUrl, ca } = await openHttps();
      const env = service.at(baseUrl, { [variable]: proxy });
      expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
      await expect.poll(squid.requests).toEqual([`CONNECT localhost:${nginx.port} 200 ${user}`]);
      // Nor did the service learn how to use the proxy.
      expect(nginx.requests()).toEqual(['GET /api/assets/a-1001 200 -']);
    },
  );

  it('writes through a tunnel, once', async () => {
    const { service, nginx, squid, proxy, baseUrl, ca } = await openHttps();
    const env = service.at(baseUrl, { HTTPS_PROXY: proxy });
    const { code, stderr } = await runProgram([...create, ...ca], env);
    expect(code, stderr).toBe(0);
    await expect.poll(squid.requests).toEqual([`CONNECT localhost:${nginx.port} 200 ${user}`]);
    expect(nginx.requests()).toEqual([expect.stringMatching(/^POST \/api\/workrequests 20\d -$/)]);
  });

  it('has nothing to do with HTTP_PROXY', async () => {
    const { service, squid, proxy, baseUrl, ca } = await openHttps();
    const env = service.at(baseUrl, { HTTP_PROXY: proxy });
    expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
    expect(squid.requests()).toEqual([]);
  });

  it('checks the certificate of the service behind the proxy, and names the service', async () => {
    const { service, nginx, squid, proxy, baseUrl } = await openHttps();
    const env = service.at(baseUrl, { HTTPS_PROXY: proxy });
    const { code, stderr } = await runProgram(create, env);
    expect(code).toBe(7);
    const { message, hint } = JSON.parse(stderr).error;
    expect(message).toContain(`localhost:${nginx.port}`);
    expect(message).toContain('Northlight Root');
    expect(message).not.toContain('127.0.0.1');
    expect(hint).toContain('--ca-cert');
    expect(nginx.requests()).toEqual([]);
    await expect.poll(squid.requests).toEqual([`CONNECT localhost:${nginx.port} 200 ${user}`]);
  });

  it('reaches a service that only the proxy can find; so does mar doctor', async () => {
    const host = 'media.northlight.invalid';
    const issuer = makeAuthority('Northlight Root');
    const certificate = makeCertificate({ name: 'media', issuer, hosts: [`DNS:${host}`] });
    const service = await startService();
    const nginx = await startNginx({ service: service.baseUrl, certificate });
    const squid = await startSquid({ user, password, knows: host });
    const proxy = squid.urlFor(user, password);
    const env = service.at(`https://${host}:${nginx.port}/api`, { HTTPS_PROXY: proxy });
    const ca = ['--ca-cert', issuer.file];
    expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
    const checkup = await runProgram(['doctor', ...ca], env);
    expect(checkup.code, checkup.stdout + checkup.stderr).toBe(0);
    expect(checkup.stdout).toContain(`127.0.0.1:${squid.port}`);
    expect(leaks(checkup.stdout + checkup.stderr)).toEqual([]);
  });

  it('reaches an IPv6 address through a tunnel', async () => {
    const { service, nginx, ca } = await openHttps();
    const proxy = await startRawProxy((socket) => {
      const upstream = connect(nginx.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
    });
    const env = service.at(`https://[::1]:${nginx.port}/api`, {
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    });
    expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
    expect(proxy.connections).toEqual([
      expect.stringMatching(`^CONNECT \\[::1\\]:${nginx.port} HTTP/1.1\r\n`),
    ]);
  });

  it('tells the proxy nothing of the login at the service', async () => {
    const { service, nginx, baseUrl, ca } = await openHttps();
    const proxy = await startRawProxy((socket) => {
      const upstream = connect(nginx.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
    });
    const env = service.at(baseUrl, {
      HTTPS_PROXY: `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
    });
    expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
    const [head = '', ...others] = proxy.connections;
    expect(others).toEqual([]);
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    expect(head).toMatch(new RegExp(`^CONNECT localhost:${nginx.port} HTTP/1.1\r\n`));
    expect(head).toContain(`Proxy-Authorization: Basic ${basic}\r\n`);
    expect(head).not.toMatch(/^authorization:/im);
    const login = Buffer.from(`${service.email}:token-${service.token}`).toString('base64');
    expect(head).not.toContain(login);
    expect(head).not.toContain('/api');
  });
});

describe('NO_PROXY', () => {
  const straight: Record<string, (port: string) => string> = {
    'the host': () => 'localhost',
    'the host in capitals': () => 'LOCALHOST',
    'the host among others': () => 'media.example, localhost,.example.org',
    'the host and its port': (port) => `localhost:${port}`,
    everything: () => '*',
  };
  it.each(Object.entries(straight))('that names %s keeps off the proxy', async (_name, list) => {
    const { service, squid, proxy } = await openHttp();
    const url = new URL(service.baseUrl);
    url.hostname = 'localhost';
    for (const variable of ['NO_PROXY', 'no_proxy']) {
      const env = service.at(url.href, { HTTP_PROXY: proxy, [variable]: list(url.port) });
      expect(await runProgram(get, env)).toMatchObject(found);
    }
    expect(squid.requests()).toEqual([]);
  });

  it('keeps https off the proxy as well, and the password of the proxy from the service', async () => {
    const { service, nginx, squid, proxy, baseUrl, ca } = await openHttps();
    const env = service.at(baseUrl, { HTTPS_PROXY: proxy, NO_PROXY: 'localhost' });
    expect(await runProgram([...get, ...ca], env)).toMatchObject(found);
    expect(squid.requests()).toEqual([]);
    expect(nginx.requests()).toEqual(['GET /api/assets/a-1001 200 -']);
  });

  const through: Record<string, (port: number) => string> = {
    'another host': () => 'media.example',
    'another port of the host': (port) => `localhost:${port + 1}`,
    'the end of a word': () => 'ocalhost,.ocalhost',
    nothing: () => '',
  };
  it.each(Object.entries(through))('that names %s does not', async (_name, list) => {
    const { service, squid, asked, proxy } = await openHttp();
    const url = new URL(service.baseUrl);
    url.hostname = 'localhost';
    const env = service.at(url.href, { HTTP_PROXY: proxy, NO_PROXY: list(Number(url.port)) });
    expect(await runProgram(get, env)).toMatchObject(found);
    await expect.poll(squid.requests).toEqual([asked.replace('127.0.0.1', 'localhost')]);
  });

  it.each(['127.0.0.1', '127.0.0.0/8'])(
    'that is %s keeps an address off the proxy',
    async (list) => {
      const { service, squid, proxy } = await openHttp();
      const env = service.at(service.baseUrl, { HTTP_PROXY: proxy, NO_PROXY: list });
      expect(await runProgram(get, env)).toMatchObject(found);
      expect(squid.requests()).toEqual([]);
    },
  );

  it.each(['::1', '[::1]', '[::1]:PORT'])('that is %s keeps it off the proxy', async (list) => {
    // Nothing listens there: what is tried is all that counts.
    const port = await freePort();
    const squid = await startSquid({ user, password });
    const env = isolated({
      ...account,
      MAR_BASE_URL: `http://[::1]:${port}/api`,
      HTTP_PROXY: squid.urlFor(user, password),
      NO_PROXY: list.replace('PORT', String(port)),
    });
    const { code, stderr } = await runProgram(create, env);
    expect(code, stderr).toBe(7);
    expect(JSON.parse(stderr).error.message).toContain(`[::1]:${port}`);
    expect(squid.requests()).toEqual([]);
  });

  it('that names a suffix keeps off the proxy whatever ends in it, and nothing else', async () => {
    // Only the proxy can find this name: what does not go through it fails.
    const host = 'media.northlight.invalid';
    const service = await startService();
    const nginx = await startNginx({ service: service.baseUrl });
    const squid = await startSquid({ user, password, knows: host });
    const ask = (list: string) => {
      const baseUrl = `http://${host}:${nginx.port}/api`;
      const variables = { HTTP_PROXY: squid.urlFor(user, password), NO_PROXY: list };
      return runProgram([...get, '--allow-http'], service.at(baseUrl, variables));
    };
    for (const list of ['.northlight.invalid', '*.northlight.invalid', '.invalid']) {
      const { code, stderr } = await ask(list);
      expect(code, list).toBe(7);
      expect(stderr, list).toContain(`the name ${host} cannot be found`);
    }
    expect(squid.requests()).toEqual([]);
    const others = ['light.invalid', '.light.invalid', '.media.invalid'];
    for (const list of others) expect(await ask(list), list).toMatchObject(found);
    await expect.poll(squid.requests).toHaveLength(others.length);
  });
});

describe('a proxy that refuses', () => {
  const lines = { 'a read': get, 'a write': create };
  const wrong: Record<string, (proxy: string) => string> = {
    'a wrong password': (proxy) => proxy.replace('7f3a9c', '7f3a9c-old'),
    'no password': (proxy) => proxy.replace(/\/\/.*@/, '//'),
  };
  const cases = Object.entries(wrong).flatMap(([reason, change]) =>
    Object.entries(lines).map(([what, line]) => ({ reason, change, what, line })),
  );

  it.each(cases)('$what for $reason is named, over http', async ({ change, line }) => {
    const { service, squid, proxy } = await openHttp();
    const env = service.at(service.baseUrl, { HTTP_PROXY: change(proxy) });
    const { code, stdout, stderr } = await runProgram(line, env);
    expect({ code, stdout }, stderr).toEqual({ code: 7, stdout: '' });
    const { message, hint } = JSON.parse(stderr).error;
    expect(message).toContain(`proxy 127.0.0.1:${squid.port}`);
    expect(hint).toMatch(/user.*password/);
    expect(leaks(stderr)).toEqual([]);
    await expect.poll(squid.requests).toEqual([expect.stringContaining(' 407 ')]);
  });

  it.each(cases)('$what for $reason is named, over https', async ({ change, line }) => {
    const { service, nginx, squid, proxy, baseUrl, ca } = await openHttps();
    const env = service.at(baseUrl, { HTTPS_PROXY: change(proxy) });
    const { code, stdout, stderr } = await runProgram([...line, ...ca], env);
    expect({ code, stdout }, stderr).toEqual({ code: 7, stdout: '' });
    const { message, hint } = JSON.parse(stderr).error;
    expect(message).toContain(`proxy 127.0.0.1:${squid.port}`);
    expect(hint).toMatch(/user.*password/);
    expect(leaks(stderr)).toEqual([]);
    await expect
      .poll(squid.requests)
      .toEqual([expect.stringContaining(`CONNECT localhost:${nginx.port} 407`)]);
    expect(nginx.requests()).toEqual([]);
  });

  it.each(Object.entries(lines))(
    '%s to this port is named with its status',
    async (_name, line) => {
      const deniedPort = await freePort();
      const squid = await startSquid({ user, password, deniedPort });
      const env = isolated({
        ...account,
        MAR_BASE_URL: `https://localhost:${deniedPort}/api`,
        HTTPS_PROXY: squid.urlFor(user, password),
      });
      const { code, stdout, stderr } = await runProgram(line, env);
      expect({ code, stdout }, stderr).toEqual({ code: 7, stdout: '' });
      const { message } = JSON.parse(stderr).error;
      expect(message).toContain(`proxy 127.0.0.1:${squid.port}`);
      expect(message).toContain('403');
      await expect
        .poll(squid.requests)
        .toEqual([expect.stringContaining(`CONNECT localhost:${deniedPort} 403`)]);
    },
  );

  it('because it cannot reach the service is named with its status, over https', async () => {
    const squid = await startSquid({ user, password });
    const env = isolated({
      ...account,
      MAR_BASE_URL: `https://localhost:${await freePort()}/api`,
      HTTPS_PROXY: squid.urlFor(user, password),
    });
    const { code, stderr } = await runProgram(create, env);
    expect(code, stderr).toBe(7);
    const { message } = JSON.parse(stderr).error;
    expect(message).toContain(`proxy 127.0.0.1:${squid.port}`);
    expect(message).toContain('503');
    await expect.poll(squid.requests).toHaveLength(1);
  });
});

describe('a proxy that fails', () => {
  it.each(['http', 'https'])(
    'because it is down is named, and nothing was sent by %s',
    async (scheme) => {
      const [port, proxy] = [await freePort(), await freePort()];
      const env = isolated({
        ...account,
        MAR_BASE_URL: `${scheme}://localhost:${port}/api`,
        ALL_PROXY: `http://127.0.0.1:${proxy}`,
      });
      const write = await runProgram(create, env);
      expect(write, write.stderr).toMatchObject({ code: 7, stdout: '' });
      const { message, hint } = JSON.parse(write.stderr).error;
      expect(message).toContain(`proxy 127.0.0.1:${proxy}`);
      expect(`${message} ${hint}`).toContain('nothing was sent');
      const read = await runProgram(get, env);
      expect(read.code).toBe(7);
      expect(JSON.parse(read.stderr).error.message).toContain(`proxy 127.0.0.1:${proxy}`);
    },
  );

  const failures: Record<string, (socket: Socket) => void> = {
    'hangs up': (socket) => socket.end(),
    'resets the connection': (socket) => socket.resetAndDestroy(),
    'talks nonsense': (socket) => socket.end('220 mail.example ESMTP\r\n\r\n'),
    'stops half way': (socket) => socket.end('HTTP/1.1 200 Conn'),
    'never answers': () => {},
  };

  it.each(Object.entries(failures))(
    'in that it %s gets a write over http once, and its outcome is unknown',
    async (_name, fail) => {
      const proxy = await startRawProxy(fail);
      const env = isolated({
        ...account,
        MAR_BASE_URL: 'http://localhost:9/api',
        HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
      });
      const { code, stderr } = await runProgram([...create, '--timeout', '2s'], env);
      // What is not HTTP is an answer of no use; all else is the network's failure.
      expect([1, 7], stderr).toContain(code);
      expect(JSON.parse(stderr).error.hint).toMatch(/look before you send it again/);
      expect(proxy.connections).toEqual([
        expect.stringMatching(/^POST http:\/\/localhost:9\/api\/workrequests HTTP\/1.1\r\n/),
      ]);
    },
  );

  it.each(Object.entries(failures))(
    'in that it %s is asked for a tunnel once, and a write was not sent',
    async (_name, fail) => {
      const proxy = await startRawProxy(fail);
      const env = isolated({
        ...account,
        MAR_BASE_URL: 'https://localhost:9/api',
        HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      });
      const { code, stderr } = await runProgram([...create, '--timeout', '2s'], env);
      expect(code, stderr).toBe(7);
      const { message, hint } = JSON.parse(stderr).error;
      expect(message).toContain(`proxy 127.0.0.1:${proxy.port}`);
      expect(`${message} ${hint}`).not.toContain('look before you send it again');
      expect(proxy.connections).toEqual([
        expect.stringMatching(/^CONNECT localhost:9 HTTP\/1.1\r\n/),
      ]);
    },
  );

  it('to reach the service gets a write once', async () => {
    const squid = await startSquid({ user, password });
    const env = isolated({
      ...account,
      MAR_BASE_URL: `http://localhost:${await freePort()}/api`,
      HTTP_PROXY: squid.urlFor(user, password),
    });
    const { code, stderr } = await runProgram(create, env);
    expect([1, 7], stderr).toContain(code);
    await expect.poll(squid.requests).toEqual([expect.stringMatching(/^POST .* 503 /)]);
  });
});

describe("the proxy's password", () => {
  const debug = { MAR_DEBUG: '1' };
  const lines = [
    [...get, '--debug'],
    [...create, '--debug'],
    ['whoami', '--check', '--debug'],
    ['doctor'],
    ['doctor', '--json'],
    ['config', 'list'],
  ];

  it('does not show while all is well, not even in a trace', async () => {
    const { service, nginx, squid, proxy, baseUrl, ca } = await openHttps();
    for (const line of lines) {
      for (const url of [service.baseUrl, baseUrl]) {
        const env = service.at(url, { ALL_PROXY: proxy, ...debug });
        const { code, stdout, stderr } = await runProgram([...line, ...ca], env);
        expect(code, stderr).toBe(0);
        expect(leaks(stdout + stderr), line.join(' ')).toEqual([]);
        if (line.includes('--debug')) expect(stderr).toContain(new URL(url).host);
      }
    }
    expect(squid.requests().join('\n')).toContain(`CONNECT localhost:${nginx.port} 200 ${user}`);
  });

  it.each(['http', 'https'])('does not show when %s fails', async (scheme) => {
    const port = await freePort();
    const squid = await startSquid({ user: 'somebody', password: 'else', deniedPort: port });
    const refused = squid.urlFor(user, password);
    const proxies = {
      refused,
      down: refused.replace(`:${squid.port}`, `:${port}`),
      'without a host': refused.replace('127.0.0.1', ''),
      'with a bad port': refused.replace(`:${squid.port}`, ':99999'),
      'of a kind that is not known': refused.replace('http:', 'socks5:'),
      'with a bad encoding': refused.replace('%3A', '%zz'),
    };
    for (const [name, proxy] of Object.entries(proxies)) {
      for (const line of [...lines, get, create]) {
        const env = isolated({
          ...account,
          ...debug,
          MAR_BASE_URL: `${scheme}://localhost:${port}/api`,
          ALL_PROXY: proxy,
        });
        const { code, stdout, stderr } = await runProgram([...line, '--timeout', '5s'], env);
        if (line[0] !== 'config') expect([2, 7], `${name}: ${stderr}`).toContain(code);
        expect(leaks(stdout + stderr), `${name}: ${line.join(' ')}`).toEqual([]);
      }
    }
  });

  it('would be noticed', () => {
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    expect(leaks(`Proxy-Authorization: Basic ${basic}`)).not.toEqual([]);
  });
});
