import { describe, expect, it } from 'vitest';
import { faultyServer, tunnelTo } from '../harness/faultyServer.ts';
import { runProgram } from '../harness/program.ts';
import { leaks, openProxied, proxyPassword, proxyUser, type Scheme } from '../harness/proxied.ts';
import { startService } from '../harness/service.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];
const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };
const schemes = ['http', 'https'] as const;

const written: Record<Scheme, (address: string) => string> = {
  http: (address) => `POST http://${address}/api/workrequests 200 ${proxyUser}`,
  https: (address) => `CONNECT ${address} 200 ${proxyUser}`,
};

describe('a request', () => {
  it.each([
    ['http', 'HTTP_PROXY', 'HTTPS_PROXY'],
    ['https', 'HTTPS_PROXY', 'HTTP_PROXY'],
  ] as const)('by %s goes through the proxy that %s names, not %s', async (scheme, own, other) => {
    const { nginx, squid, proxy, ca, env, read, readThrough } = await openProxied(scheme);
    for (const variables of [{ [other]: proxy }, { [own]: proxy, NO_PROXY: 'localhost' }]) {
      expect(await runProgram([...get, ...ca], env(variables))).toMatchObject(found);
    }
    expect(squid.requests()).toEqual([]);
    expect(await runProgram([...get, ...ca], env({ [own]: proxy }))).toMatchObject(found);
    await expect.poll(squid.requests).toEqual(readThrough);
    // The service does not learn how to use the proxy.
    expect(nginx.requests()).toEqual([...read, ...read, ...read]);
  });

  it.each(schemes)(
    'by %s reaches what only the proxy can find, and a write does once; so does mar doctor',
    async (scheme) => {
      const host = 'media.northlight.invalid';
      const service = await startService();
      const proxied = await openProxied(scheme, { service, host });
      const { nginx, squid, address, proxy, ca, env } = proxied;
      const variables = env({ ALL_PROXY: proxy });
      const flags = [...ca, '--allow-http'];
      const created = await runProgram([...create, ...flags], variables);
      expect(created, created.stderr).toMatchObject({ code: 0, stderr: '' });
      await expect.poll(squid.requests).toEqual([written[scheme](address)]);
      expect(nginx.requests()).toEqual(['POST /api/workrequests 200 -']);
      expect(await runProgram([...get, ...flags], variables)).toMatchObject(found);
      const checkup = await runProgram(['doctor', ...flags], variables);
      expect(checkup.code, checkup.stdout + checkup.stderr).toBe(0);
      expect(checkup.stdout).toContain(`127.0.0.1:${squid.port}`);
      expect(leaks(checkup.stdout + checkup.stderr)).toEqual([]);
    },
  );

  it.each(schemes)('by %s with a wrong password is refused, and asked once', async (scheme) => {
    const { nginx, squid, proxy, ca, env } = await openProxied(scheme);
    const variables = env({ ALL_PROXY: proxy.replace('7f3a9c', '7f3a9c-old') });
    expect(await runProgram([...get, ...ca], variables)).toMatchObject({ code: 7, stdout: '' });
    await expect.poll(squid.requests).toEqual([expect.stringContaining(' 407 ')]);
    expect(nginx.requests()).toEqual([]);
  });
});

describe('a tunnel', () => {
  it('carries several requests, and keeps no certificate from being checked', async () => {
    const { nginx, squid, address, proxy, ca, env, readThrough } = await openProxied('https');
    const { code, stderr } = await runProgram(create, env({ HTTPS_PROXY: proxy }));
    expect(code, stderr).toBe(7);
    const { message } = JSON.parse(stderr).error;
    expect(message).toContain(address);
    expect(message).toContain('Northlight Root');
    expect(nginx.requests()).toEqual([]);
    await expect.poll(squid.requests).toEqual(readThrough);

    const line = ['asset', 'get', ...Array(12).fill('a-1001'), '--jsonl', ...ca];
    const read = await runProgram(line, env({ HTTPS_PROXY: proxy }));
    expect(read.code, read.stderr).toBe(0);
    expect(nginx.requests()).toHaveLength(12);
    await expect.poll(() => squid.requests().length).toBeGreaterThan(1);
    expect(squid.requests().length).toBeLessThan(1 + 12);
  });

  it('to an IPv6 address is asked for with the login at the proxy alone', async () => {
    const { nginx, ca, env } = await openProxied('https');
    const raw = await faultyServer(tunnelTo(nginx.port));
    const login = `${encodeURIComponent(proxyUser)}:${encodeURIComponent(proxyPassword)}`;
    const variables = env({
      MAR_BASE_URL: `https://[::1]:${nginx.port}/api`,
      HTTPS_PROXY: `${login}@127.0.0.1:${raw.port}`,
    });
    expect(await runProgram([...get, ...ca], variables)).toMatchObject(found);
    const [head = '', ...others] = raw.requests;
    expect(others).toEqual([]);
    const basic = Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64');
    const start = `CONNECT [::1]:${nginx.port} HTTP/1.1\r\nHost: [::1]:${nginx.port}\r\n`;
    expect(head).toContain(start);
    expect(head).toContain(`Proxy-Authorization: Basic ${basic}\r\n`);
    expect(head).not.toMatch(/^authorization:|\/api/im);
  });
});

describe("the proxy's password", () => {
  const lines = [
    [...get, '--debug'],
    [...create, '--debug'],
    ['whoami', '--check', '--debug'],
    ['doctor', '--json'],
    ['config', 'list'],
  ];

  it.each(schemes)('does not show by %s, not even in a trace', async (scheme) => {
    const service = await startService();
    const { squid, address, proxy, ca, env } = await openProxied(scheme, { service });
    // Traces of libraries count too.
    const variables = env({ ALL_PROXY: proxy, MAR_DEBUG: '1', DEBUG: '*' });
    for (const line of lines) {
      const { code, stdout, stderr } = await runProgram([...line, ...ca], variables);
      expect(code, stderr).toBe(0);
      expect(leaks(stdout + stderr), line.join(' ')).toEqual([]);
      if (line.includes('--debug')) expect(stderr).toContain(address);
    }
    expect(squid.requests().length).toBeGreaterThan(3);
  });

  it('would be noticed', () => {
    const basic = Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64');
    expect(leaks(`Proxy-Authorization: Basic ${basic}`)).not.toEqual([]);
  });
});
