import { describe, expect, it } from 'vitest';
import { freePort } from '../harness/daemon.ts';
import { faultyServer, tunnelTo } from '../harness/faultyServer.ts';
import { runProgram } from '../harness/program.ts';
import { leaks, openProxied, proxyPassword, proxyUser, type Scheme } from '../harness/proxied.ts';
import { startService } from '../harness/service.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];
const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };
const schemes = ['http', 'https'] as const;

describe('a request', () => {
  it.each([
    ['http', 'HTTP_PROXY'],
    ['http', 'http_proxy'],
    ['http', 'ALL_PROXY'],
    ['https', 'HTTPS_PROXY'],
    ['https', 'https_proxy'],
    ['https', 'all_proxy'],
  ] as const)('by %s goes through the proxy that %s names', async (scheme, variable) => {
    const { nginx, squid, proxy, ca, env, read, readThrough } = await openProxied(scheme);
    expect(await runProgram([...get, ...ca], env({ [variable]: proxy }))).toMatchObject(found);
    await expect.poll(squid.requests).toEqual(readThrough);
    // The service does not learn how to use the proxy.
    expect(nginx.requests()).toEqual(read);
  });

  it.each([
    ['http', 'HTTPS_PROXY'],
    ['https', 'HTTP_PROXY'],
  ] as const)('by %s has nothing to do with %s', async (scheme, variable) => {
    const { nginx, squid, proxy, ca, env, read } = await openProxied(scheme);
    expect(await runProgram([...get, ...ca], env({ [variable]: proxy }))).toMatchObject(found);
    expect(nginx.requests()).toEqual(read);
    expect(squid.requests()).toEqual([]);
  });

  const choices: Record<string, (proxy: string, dead: string) => Record<string, string>> = {
    'a proxy without a scheme': (proxy) => ({ HTTP_PROXY: proxy.replace('http://', '') }),
    'a proxy with a slash at its end': (proxy) => ({ HTTP_PROXY: `${proxy}/` }),
    'the small letters before the capitals': (http_proxy, HTTP_PROXY) => ({
      http_proxy,
      HTTP_PROXY,
    }),
    'the one for its scheme before the one for all': (HTTP_PROXY, all_proxy) => ({
      HTTP_PROXY,
      all_proxy,
    }),
    'the one for all when its own is empty': (ALL_PROXY) => ({ HTTP_PROXY: '', ALL_PROXY }),
  };
  it.each(Object.entries(choices))('takes %s', async (_name, variables) => {
    const { squid, proxy, env, readThrough } = await openProxied('http');
    const dead = `http://127.0.0.1:${await freePort()}`;
    expect(await runProgram(get, env(variables(proxy, dead)))).toMatchObject(found);
    await expect.poll(squid.requests).toEqual(readThrough);
  });

  const written: Record<Scheme, (address: string) => string> = {
    http: (address) => `POST http://${address}/api/workrequests 200 ${proxyUser}`,
    https: (address) => `CONNECT ${address} 200 ${proxyUser}`,
  };
  it.each(schemes)('that writes by %s is carried out through the proxy, once', async (scheme) => {
    const service = await startService();
    const { nginx, squid, address, proxy, ca, env } = await openProxied(scheme, { service });
    const created = await runProgram([...create, ...ca], env({ ALL_PROXY: proxy }));
    expect(created, created.stderr).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(squid.requests).toEqual([written[scheme](address)]);
    expect(nginx.requests()).toEqual(['POST /api/workrequests 200 -']);

    const record = ['wr', 'get', JSON.parse(created.stdout)._id, '--json'];
    const read = await runProgram([...record, ...ca], env({}));
    expect(read).toMatchObject({ code: 0, stdout: created.stdout });
  });

  it.each(schemes)(
    'by %s reaches what only the proxy can find; so does mar doctor',
    async (scheme) => {
      const host = 'media.northlight.invalid';
      const service = await startService();
      const { squid, proxy, ca, env } = await openProxied(scheme, { service, host });
      const variables = env({ ALL_PROXY: proxy });
      const flags = [...ca, '--allow-http'];
      expect(await runProgram([...get, ...flags], variables)).toMatchObject(found);
      const checkup = await runProgram(['doctor', ...flags], variables);
      expect(checkup.code, checkup.stdout + checkup.stderr).toBe(0);
      expect(checkup.stdout).toContain(`127.0.0.1:${squid.port}`);
      expect(leaks(checkup.stdout + checkup.stderr)).toEqual([]);
    },
  );
});

describe('a tunnel', () => {
  it('does not keep the certificate of the service from being checked', async () => {
    const { nginx, squid, address, proxy, env, readThrough } = await openProxied('https');
    const { code, stderr } = await runProgram(create, env({ HTTPS_PROXY: proxy }));
    expect(code, stderr).toBe(7);
    const { message, hint } = JSON.parse(stderr).error;
    expect(message).toContain(address);
    expect(message).toContain('Northlight Root');
    expect(message).not.toContain(`${squid.port}`);
    expect(hint).toContain('--ca-cert');
    expect(nginx.requests()).toEqual([]);
    // One tunnel for the request, and one to see whose certificate it was.
    await expect.poll(squid.requests).toEqual([...readThrough, ...readThrough]);
  });

  it('carries several requests, one after the other', async () => {
    const { nginx, squid, proxy, ca, env, readThrough } = await openProxied('https');
    const line = ['asset', 'get', ...Array(12).fill('a-1001'), '--jsonl', ...ca];
    const { code, stdout, stderr } = await runProgram(line, env({ HTTPS_PROXY: proxy }));
    expect(code, stderr).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(12);
    expect(nginx.requests()).toHaveLength(12);
    await expect.poll(squid.requests).toContain(readThrough[0]);
    expect(squid.requests().length).toBeLessThan(12);
  });

  it('leads to an IPv6 address as well', async () => {
    const { nginx, ca, env } = await openProxied('https');
    const raw = await faultyServer(tunnelTo(nginx.port));
    const variables = env({
      MAR_BASE_URL: `https://[::1]:${nginx.port}/api`,
      HTTPS_PROXY: `127.0.0.1:${raw.port}`,
    });
    expect(await runProgram([...get, ...ca], variables)).toMatchObject(found);
    const start = `CONNECT [::1]:${nginx.port} HTTP/1.1\r\nHost: [::1]:${nginx.port}\r\n`;
    expect(raw.requests).toEqual([expect.stringContaining(start)]);
  });

  it('is asked for with the login at the proxy, and without the one at the service', async () => {
    const { nginx, address, ca, env } = await openProxied('https');
    const raw = await faultyServer(tunnelTo(nginx.port));
    const login = `${encodeURIComponent(proxyUser)}:${encodeURIComponent(proxyPassword)}`;
    const variables = env({ HTTPS_PROXY: `http://${login}@127.0.0.1:${raw.port}` });
    expect(await runProgram([...get, ...ca], variables)).toMatchObject(found);
    const [head = '', ...others] = raw.requests;
    expect(others).toEqual([]);
    const basic = Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64');
    expect(head).toContain(`CONNECT ${address} HTTP/1.1\r\n`);
    expect(head).toContain(`Proxy-Authorization: Basic ${basic}\r\n`);
    expect(head).not.toMatch(/^authorization:/im);
    const { MAR_EMAIL: email, MAR_TOKEN: token } = variables;
    expect(head).not.toContain(Buffer.from(`${email}:token-${token}`).toString('base64'));
    expect(head).not.toContain('/api');
  });
});

describe("the proxy's password", () => {
  const lines = [
    [...get, '--debug'],
    [...create, '--debug'],
    ['whoami', '--check', '--debug'],
    ['doctor'],
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
