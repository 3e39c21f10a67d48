import { describe, expect, it } from 'vitest';
import { freePort } from '../harness/daemon.ts';
import {
  account,
  type Fault,
  faultyServer,
  hangUp,
  reset,
  sendAndClose,
  silence,
} from '../harness/faultyServer.ts';
import type { Outcome } from '../harness/mar.ts';
import { runProgram } from '../harness/program.ts';
import { leaks, openProxied, proxyPassword, proxyUser, startOwnSquid } from '../harness/proxied.ts';
import { isolated } from '../harness/service.ts';
import { startSquid } from '../harness/squid.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];
const schemes = ['http', 'https'] as const;

/** An environment with a proxy for the scheme of a service. */
const through = (proxy: string, service: string) =>
  isolated({
    ...account,
    MAR_BASE_URL: `${service}/api`,
    [service.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY']: proxy,
  });

interface ShownError {
  message: string;
  hint: string;
}

/** The error of a run in which the proxy at this port was in the way. */
function blamed({ code, stdout, stderr }: Outcome, port: number): ShownError {
  expect({ code, stdout }, stderr).toEqual({ code: 7, stdout: '' });
  const { error } = JSON.parse(stderr);
  expect(error.kind).toBe('network');
  expect(error.message).toContain(`proxy 127.0.0.1:${port}`);
  expect(leaks(stderr)).toEqual([]);
  return error;
}

describe('a proxy that refuses', () => {
  const logins: Record<string, (proxy: string) => string> = {
    'a wrong password': (proxy) => proxy.replace('7f3a9c', '7f3a9c-old'),
    'no user and password': (proxy) => proxy.replace(/\/\/.*@/, '//'),
  };
  const cases = Object.entries(logins).flatMap(([reason, login]) =>
    schemes.map((scheme) => [reason, scheme, login] as const),
  );
  it.each(cases)('%s, by %s, is named and asked once', async (_reason, scheme, login) => {
    const { nginx, squid, proxy, ca, env } = await openProxied(scheme);
    const variables = env({ ALL_PROXY: login(proxy) });
    for (const line of [get, create]) {
      const { hint } = blamed(await runProgram([...line, ...ca], variables), squid.port);
      expect(hint).toMatch(/user.*password/);
    }
    const refused = expect.stringContaining(' 407 ');
    await expect.poll(squid.requests).toEqual([refused, refused]);
    expect(nginx.requests()).toEqual([]);
  });

  it('a tunnel to this port is named with its status, and asked once', async () => {
    const deniedPort = await freePort();
    const squid = await startOwnSquid({ deniedPort });
    const env = through(squid.urlFor(proxyUser, proxyPassword), `https://localhost:${deniedPort}`);
    for (const line of [get, create]) {
      const { message } = blamed(await runProgram(line, env), squid.port);
      expect(message).toMatch(/\b403\b/);
    }
    const refused = expect.stringContaining(`CONNECT localhost:${deniedPort} 403`);
    await expect.poll(squid.requests).toEqual([refused, refused]);
  });
});

describe('a proxy that cannot reach the service', () => {
  it('gets a write once by http', async () => {
    const squid = await startOwnSquid();
    const service = `http://localhost:${await freePort()}`;
    const env = through(squid.urlFor(proxyUser, proxyPassword), service);
    const { code, stderr } = await runProgram(create, env);
    // Nobody can tell whose 503 it is.
    expect(code, stderr).toBe(1);
    await expect.poll(squid.requests).toEqual([expect.stringMatching(/^POST .* 503 /)]);
  });
});

describe('a proxy that is down', () => {
  it.each(schemes)('is named, and nothing was sent by %s', async (scheme) => {
    const [port, dead] = [await freePort(), await freePort()];
    const env = through(`http://127.0.0.1:${dead}`, `${scheme}://localhost:${port}`);
    blamed(await runProgram(get, env), dead);
    const { message, hint } = blamed(await runProgram(create, env), dead);
    expect(`${message} ${hint}`).toContain('Nothing was sent.');
  });
});

describe('a proxy that fails', () => {
  const failures: Record<string, Fault> = {
    'hangs up': hangUp,
    'resets the connection': reset,
    'talks nonsense': sendAndClose('220 mail.example ESMTP\r\n\r\n'),
    'stops half way': sendAndClose('HTTP/1.1 200 Conn'),
    'never answers': silence,
  };

  it.each(Object.entries(failures))(
    'in that it %s gets a write by http once, and its outcome is unknown',
    async (_name, fail) => {
      const proxy = await faultyServer(fail);
      const env = through(`http://127.0.0.1:${proxy.port}`, 'http://localhost:9');
      const { code, stderr } = await runProgram([...create, '--timeout', '2s'], env);
      // A response that is not HTTP is unusable; everything else is a network failure.
      expect([1, 7], stderr).toContain(code);
      expect(JSON.parse(stderr).error.hint).toContain('Check before you send it again');
      const start = 'POST http://localhost:9/api/workrequests HTTP/1.1\r\n';
      expect(proxy.requests).toEqual([expect.stringContaining(start)]);
    },
  );

  it.each(Object.entries(failures))(
    'in that it %s is named and asked for a tunnel once, and a write was not sent',
    async (_name, fail) => {
      const proxy = await faultyServer(fail);
      const env = through(`http://127.0.0.1:${proxy.port}`, 'https://localhost:9');
      const outcome = await runProgram([...create, '--timeout', '2s'], env);
      const { hint } = blamed(outcome, proxy.port);
      expect(hint).not.toContain('Check before you send it again');
      expect(proxy.requests).toEqual([expect.stringContaining('CONNECT localhost:9 HTTP/1.1\r\n')]);
    },
  );
});

describe("the proxy's password", () => {
  const proxies: Record<string, (refusing: string, dead: string) => string> = {
    'refuses it': (refusing) => refusing,
    'is down': (_refusing, dead) => dead,
    'has no host': (_refusing, dead) => dead.replace(/127.*/, ''),
    'has a port that there is not': (_refusing, dead) => dead.replace(/\d+$/, '99999'),
    'is of a kind that is not known': (_refusing, dead) => dead.replace('http:', 'socks5:'),
    'is badly encoded': (refusing) => refusing.replace('%3A', '%zz'),
  };
  const cases = Object.entries(proxies).flatMap(([name, make]) =>
    schemes.map((scheme) => [name, scheme, make] as const),
  );

  it.each(cases)('does not show when the proxy %s, by %s', async (_name, scheme, make) => {
    const port = await freePort();
    const squid = await startSquid({ user: 'somebody', password: 'else', deniedPort: port });
    const refusing = squid.urlFor(proxyUser, proxyPassword);
    const env = isolated({
      ...account,
      MAR_BASE_URL: `${scheme}://localhost:${port}/api`,
      ALL_PROXY: make(refusing, refusing.replace(`:${squid.port}`, `:${port}`)),
      MAR_DEBUG: '1',
      DEBUG: '*',
    });
    for (const line of [[...get, '--retries', '0'], [...create, '--debug'], ['doctor']]) {
      const { code, stdout, stderr } = await runProgram(line, env);
      expect([2, 7], stdout + stderr).toContain(code);
      expect(leaks(stdout + stderr), stdout + stderr).toEqual([]);
    }
  });
});
