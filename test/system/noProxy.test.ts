import { describe, expect, it } from 'vitest';
import { freePort } from '../harness/daemon.ts';
import { runProgram } from '../harness/program.ts';
import { openProxied, proxyPassword, proxyUser, startOwnSquid } from '../harness/proxied.ts';
import { account } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

const get = ['asset', 'get', 'a-1001', '--json'];
const found = { code: 0, stdout: expect.stringContaining('"a-1001"'), stderr: '' };

type List = (port: number) => string;

describe('NO_PROXY', () => {
  const straight: Record<string, List> = {
    'the host': () => 'localhost',
    'the host in capitals': () => 'LOCALHOST',
    'the host among others': () => 'media.example, localhost,.example.org',
    'the host and its port': (port) => `localhost:${port}`,
    everything: () => '*',
  };
  it.each(Object.entries(straight))('with %s keeps off the proxy', async (_name, list) => {
    const { nginx, squid, proxy, env, read } = await openProxied('http');
    const variables = env({ HTTP_PROXY: proxy, NO_PROXY: list(nginx.port) });
    expect(await runProgram(get, variables)).toMatchObject(found);
    expect(nginx.requests()).toEqual(read);
    expect(squid.requests()).toEqual([]);
  });

  it('keeps https off the proxy as well, and may be written small', async () => {
    const { nginx, squid, proxy, ca, env, read } = await openProxied('https');
    const variables = env({ HTTPS_PROXY: proxy, no_proxy: 'localhost' });
    expect(await runProgram([...get, ...ca], variables)).toMatchObject(found);
    expect(nginx.requests()).toEqual(read);
    expect(squid.requests()).toEqual([]);
  });

  const through: Record<string, List> = {
    'another host': () => 'media.example',
    'another port of the host': (port) => `localhost:${port + 1}`,
    'the end of a word': () => 'ocalhost,.ocalhost',
    nothing: () => '',
  };
  it.each(Object.entries(through))('with %s does not', async (_name, list) => {
    const { nginx, squid, proxy, env, readThrough } = await openProxied('http');
    const variables = env({ HTTP_PROXY: proxy, NO_PROXY: list(nginx.port) });
    expect(await runProgram(get, variables)).toMatchObject(found);
    await expect.poll(squid.requests).toEqual(readThrough);
  });

  const addresses: Record<string, { host: string; list: List }> = {
    'an address': { host: '127.0.0.1', list: () => '127.0.0.1' },
    'an address and its port': { host: '127.0.0.1', list: (port) => `127.0.0.1:${port}` },
    'an IPv6 address': { host: '[::1]', list: () => '::1' },
    'an IPv6 address in brackets': { host: '[::1]', list: () => '[::1]' },
    'an IPv6 address and its port': { host: '[::1]', list: (port) => `[::1]:${port}` },
  };
  it.each(Object.entries(addresses))(
    'with %s keeps off the proxy',
    async (_name, { host, list }) => {
      // Nothing listens there: what counts is who is said to be missing.
      const port = await freePort();
      const squid = await startOwnSquid();
      const env = isolated({
        ...account,
        MAR_BASE_URL: `http://${host}:${port}/api`,
        HTTP_PROXY: squid.urlFor(proxyUser, proxyPassword),
        NO_PROXY: list(port),
      });
      const { code, stderr } = await runProgram(
        ['user', 'put', 'u-1', '-f', '-', '--json'],
        env,
        '{}',
      );
      expect(code, stderr).toBe(7);
      expect(JSON.parse(stderr).error.message).toBe(`${host}:${port} refused the connection`);
      expect(squid.requests()).toEqual([]);
    },
  );

  it('with a suffix keeps whatever ends in it off the proxy, and nothing else', async () => {
    // Only the proxy can find this name: what does not go through it fails.
    const host = 'media.northlight.invalid';
    const { squid, proxy, env } = await openProxied('http', { host });
    const ask = (list: string) =>
      runProgram([...get, '--allow-http'], env({ HTTP_PROXY: proxy, NO_PROXY: list }));
    for (const list of ['.northlight.invalid', '*.northlight.invalid', '.invalid']) {
      const { code, stderr } = await ask(list);
      expect(code, list).toBe(7);
      expect(stderr, list).toContain(`host ${host} not found`);
    }
    expect(squid.requests()).toEqual([]);
    const others = ['light.invalid', '.light.invalid', '.media.invalid'];
    for (const list of others) expect(await ask(list), list).toMatchObject(found);
    await expect.poll(squid.requests).toHaveLength(others.length);
  });
});
