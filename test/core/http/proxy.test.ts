import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/core/http/proxy.ts';

const proxy = 'http://proxy.example:3128';
const chosen = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;

describe('the proxy', () => {
  it.each<[url: string, env: Record<string, string>, expected?: string]>([
    ['https://a.example/', { HTTPS_PROXY: proxy }],
    ['https://a.example/', { https_proxy: proxy, HTTPS_PROXY: 'http://other.example' }],
    ['http://a.example/', { HTTP_PROXY: proxy }],
    ['https://a.example/', { ALL_PROXY: proxy }],
    ['http://a.example/', { all_proxy: proxy, HTTPS_PROXY: 'http://other.example' }],
    ['https://a.example/', { HTTPS_PROXY: 'proxy.example:3128' }],
    ['http://a.example/', { HTTP_PROXY: proxy, all_proxy: 'http://other.example' }],
    ['http://a.example/', { HTTP_PROXY: '', ALL_PROXY: proxy, no_proxy: 'other.example' }],
    // It cannot read TLS to this machine.
    ['https://127.0.0.1:4010/', { HTTPS_PROXY: proxy }],
    // One on this machine is for this machine too.
    ['http://127.0.0.1:4010/', { HTTP_PROXY: 'http://localhost:8080' }, 'http://localhost:8080'],
  ])('for %s is found in %j', (url, env, expected = proxy) => {
    expect(chosen(url, env)).toBe(`${expected}/`);
  });

  it.each([
    ['https://a.example/', {}],
    ['https://a.example/', { HTTP_PROXY: proxy }],
    ['http://a.example/', { HTTPS_PROXY: proxy }],
    ['https://a.example/', { HTTPS_PROXY: '' }],
    ['https://a.example/', { HTTPS_PROXY: proxy, no_proxy: 'a.example' }],
    // In the clear, and with a token: it stays on the machine.
    ['http://127.0.0.1:4010/', { HTTP_PROXY: proxy }],
    ['http://localhost:4010/', { ALL_PROXY: proxy }],
    ['http://[::1]:4010/', { HTTP_PROXY: proxy }],
  ])('for %s is none with %j', (url, env) => {
    expect(chosen(url, env)).toBeUndefined();
  });

  it.each(['socks5://proxy.example:1080', 'http://', 'http://me:hunter2@:x'])(
    'that is %s is refused without being quoted',
    (value) => {
      const refused = () => proxyFor(new URL('https://a.example/'), { HTTPS_PROXY: value });
      expect(refused).toThrow('HTTPS_PROXY');
      expect(refused).not.toThrow('hunter2');
    },
  );

  it.each([
    ['https://a.example/', 'a.example'],
    ['https://A.example/', 'a.EXAMPLE'],
    ['https://a.example/', 'b.example, a.example'],
    ['https://a.example/', 'b.example a.example'],
    ['https://a.b.example/', '.example'],
    ['https://a.b.example/', '*.example'],
    ['https://a.b.example/', 'b.example'],
    ['https://a.example/', '*'],
    ['https://a.example/', 'a.example:443'],
    ['http://a.example:8080/', 'a.example:8080'],
    ['https://10.1.2.3/', '10.1.2.3'],
    ['https://10.1.2.3/', '10.0.0.0/8'],
    ['https://[::1]/', '::1'],
    ['https://[::1]:8443/', '[::1]:8443'],
    ['https://[fd00::5]/', 'fd00::/8'],
  ])('is not used for %s with NO_PROXY=%s', (url, list) => {
    expect(chosen(url, { ALL_PROXY: proxy, NO_PROXY: list })).toBeUndefined();
  });

  it.each([
    ['https://a.example/', 'b.example'],
    ['https://aa.example/', 'a.example'],
    ['https://a.example.evil/', 'a.example'],
    ['https://a.example/', 'a.example:8443'],
    ['https://11.1.2.3/', '10.0.0.0/8'],
    ['https://10.1.2.3/', '0.1.2.3'],
    ['https://10.1.2.3/', '10.0.0.0/99'],
    ['https://10.1.2.3/', 'fd00::/8'],
    ['https://a.example/', ' , '],
    ['https://a.example/', '.'],
  ])('is used for %s with NO_PROXY=%s', (url, list) => {
    expect(chosen(url, { ALL_PROXY: proxy, NO_PROXY: list })).toBe(`${proxy}/`);
  });
});
