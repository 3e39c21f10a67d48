import { describe, expect, it } from 'vitest';
import { targetUrl } from '../../../src/core/client/target.ts';
import { mar } from '../../harness/mar.ts';
import { failure, refused } from '../../harness/marWith.ts';
import { account, recordingServer } from '../../harness/recordingServer.ts';

const lineOf = (request: string | undefined) => request?.split('\r\n')[0];

describe('the path of mar api', () => {
  it.each([
    ['assets/a-1', '/api/assets/a-1'],
    ['/assets/a-1', '/api/assets/a-1'],
    ['/api/assets/a-1', '/api/assets/a-1'],
    ['api/assets/a-1', '/api/assets/a-1'],
    ['/apiary/a-1', '/api/apiary/a-1'],
    ['/api', '/api'],
    ['/', '/api/'],
    ['?q=x', '/api?q=x'],
    ['/downloads?q=x', '/api/downloads?q=x'],
    ['/downloads?q=a b&u=//evil.example/..\\', '/api/downloads?q=a%20b&u=//evil.example/..\\'],
    ['/assets/a b ü', '/api/assets/a%20b%20%C3%BC'],
    ['/assets/a%2Fb%20c', '/api/assets/a%2Fb%20c'],
    ['/assets/...', '/api/assets/...'],
    ['/api//evil.example/x', '/api//evil.example/x'],
    ['https:evil.example', '/api/https:evil.example'],
  ])('%j asks for %s', async (path, asked) => {
    const server = await recordingServer('{}');
    const run = await mar(['api', 'GET', path], server);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(server.requests.map(lineOf)).toEqual([`GET ${asked} HTTP/1.1`]);
  });

  it.each(['//127.0.0.1:PORT', 'http://127.0.0.1:PORT', 'HTTP://127.1:PORT'])(
    'may be an address at the own host: %s',
    async (host) => {
      const server = await recordingServer('{}');
      const address = `${host.replace('PORT', String(server.port))}/api/assets/a-1`;
      const run = await mar(['api', 'GET', address], server);
      expect(run, run.stderr).toMatchObject({ code: 0 });
      expect(server.requests.map(lineOf)).toEqual(['GET /api/assets/a-1 HTTP/1.1']);
    },
  );

  it('is below the base URL, wherever that is', async () => {
    const server = await recordingServer('{}');
    const base = `http://127.0.0.1:${server.port}/v2/api`;
    const paths = ['/x', '/api/x', '/v2/api/x', `//127.0.0.1:${server.port}/api/x`, `${base}/x`];
    for (const path of paths) {
      const run = await mar(['api', 'GET', path], { env: { ...account, MAR_BASE_URL: base } });
      expect(run.code, run.stderr).toBe(0);
    }
    expect(server.requests.map(lineOf)).toEqual(paths.map(() => 'GET /v2/api/x HTTP/1.1'));
  });

  it('takes the scheme and the port of the base URL for granted', () => {
    const base = new URL('https://media.example/api');
    for (const path of ['//media.example/api/x', '//MEDIA.example:443/api/x', 'x']) {
      expect(targetUrl(path, base).href).toBe('https://media.example/api/x');
    }
    for (const path of ['http://media.example/api/x', '//media.example:8443/api/x']) {
      expect(() => targetUrl(path, base)).toThrow(/ https:\/\/media\.example$/);
    }
  });
});

describe('another place than the base URL', () => {
  it.each([
    ...['//127.0.0.1:PORT/api/x', 'http://127.0.0.1:PORT/api/x', 'http://localhost:PORT/api/x'],
    ...['///127.0.0.1:PORT/api/x', '\\\\127.0.0.1:PORT\\api\\x', '/\\127.0.0.1:PORT/api/x'],
    ...['\t//127.0.0.1:PORT/api/x', '/\n/127.0.0.1:PORT/api/x'],
    ...['//127.0.0.1:OWN@127.0.0.1:PORT/api/x', 'http://127.0.0.1:OWN\\@127.0.0.1:PORT/api/x'],
  ])('is refused with nothing sent to either: %j', async (address) => {
    const [own, other] = [await recordingServer('{}'), await recordingServer('{}')];
    const target = address.replace('PORT', `${other.port}`).replace('OWN', `${own.port}`);
    for (const method of ['GET', 'POST']) {
      expect(await failure(2, mar(['api', method, target], own))).toMatch(/^error: /);
    }
    expect([...own.requests, ...other.requests]).toEqual([]);
  });

  it('is named, and so is the place that the login is for', async () => {
    const own = await recordingServer('{}');
    const here = `127.0.0.1:${own.port}`;
    const places = ['http://evil.example', 'https://evil.example:444', `https://${here}`];
    for (const place of places) {
      const { stderr } = await mar(['api', 'GET', `${place}/api/x`], own);
      expect(stderr).toContain(place);
      expect(stderr).toContain(` http://${here}`);
    }
    expect(own.requests).toEqual([]);
  });

  it.each([
    ...['/api/../x', '/..', '../x', '/assets/../../x', '/assets/%2e%2e/%2E%2E/x', '/assets/.%2e/x'],
    ...['/assets/./x', '/assets/..%2f..%2fx', '/assets/..%5c..%5cx', '/assets/..\\..\\x'],
    ...[
      '/assets/a\u0000b',
      '/assets/a%0d%0ab',
      '/assets?q=a\nb',
      '/assets/a\u009bb',
      '/assets/a#b',
    ],
    ...['/assets/%zz', '/assets/%ff', ' /assets', '/assets ', '//', '//[/api/x', ''],
  ])('or what could mean one is refused: %j', async (path) => {
    await refused(['api', 'GET', path]);
  });

  it.each([
    // At the own host, and behind a user name or password.
    ...[
      '//HOST',
      '//HOST/',
      '//HOST/apiary/x',
      '//HOST/api/../x',
      '//HOST/other/api/x',
      '//HOST?q=1',
    ],
    ...['//me:hunter2@HOST/api/x', '//me@HOST/api/x', '//@HOST/api/x', '//%40@HOST/api/x'],
  ])('is refused at the own host as well: %s', async (address) => {
    const server = await recordingServer('{}');
    const target = address.replace('HOST', `127.0.0.1:${server.port}`);
    expect(await failure(2, mar(['api', 'GET', target], server))).not.toContain('hunter2');
    expect(server.requests).toEqual([]);
  });
});
