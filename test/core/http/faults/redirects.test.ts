import { describe, expect, it } from 'vitest';
import {
  type Fault,
  type FaultyServer,
  faultyServer,
  respond,
} from '../../../harness/faultyServer.ts';
import { mar, marOk, temporaryFolder } from '../../../harness/mar.ts';
import { networkWords } from '../../../words/network.ts';
import { expectNoHarm, watchProcess } from './rows.ts';

/*
 * A service that points elsewhere. Credentials, and the words of a write, are for one origin: the
 * other one must not even be connected to.
 */

const signature = 'X-Signature=t0ps3cret';

/** Where a service may point, as seen from its own port and the port of another one. */
const targets: [name: string, location: (own: number, other: number) => string][] = [
  ['another port', (_own, other) => `http://127.0.0.1:${other}/api/assets/a-1`],
  ['another scheme', (_own, other) => `https://127.0.0.1:${other}/api/assets/a-1`],
  ['another host, without a scheme', (_own, other) => `//127.0.0.1:${other}/api/assets/a-1`],
  ['another host, with backslashes', (_own, other) => `\\\\127.0.0.1:${other}\\api`],
  ['another host, with a user', (own, other) => `http://127.0.0.1:${own}@127.0.0.1:${other}/api`],
  ['its own address', (own) => `http://127.0.0.1:${own}/api/assets/a-2`],
  ['a path of its own', () => '/api/assets/a-2'],
];

const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];
const put = ['event', 'put', '-f', '-'];

/** The service, and another one that would answer to everybody. */
async function twoServers(
  point: (own: number, other: number) => Fault,
): Promise<{ server: FaultyServer; other: FaultyServer }> {
  const other = await faultyServer(respond('{"_id":"a-1"}'));
  const server: FaultyServer = await faultyServer((socket) =>
    point(server.port, other.port)(socket),
  );
  return { server, other };
}

const expectUntouched = ({ bytes, connections }: FaultyServer) =>
  expect({ bytes, connections: connections.length }).toEqual({ bytes: 0, connections: 0 });

describe.each([301, 302, 303, 307, 308])('a redirect with %i', (status) => {
  watchProcess();

  it.each(targets)('to %s is reported, not followed', async (_name, location) => {
    for (const [argv, code] of [
      [['asset', 'get', 'a-1'], 1],
      [['file', 'list', '--all'], 1],
      [create, 3],
      [put, 3],
    ] as const) {
      const { server, other } = await twoServers((own, port) =>
        respond('{"_id":"a-1"}', {
          status: `${status} Elsewhere`,
          headers: [`Location: ${location(own, port)}?${signature}#${signature}`],
        }),
      );
      const run = await mar(argv, { env: server.env, stdin: '{"_id":"e-1"}' });
      expect(run, run.stderr).toMatchObject({ code, stdout: '' });
      // By its path: of an address with a user in it, not all is to be shown.
      const shown = location(server.port, other.port).replace(/^.*@/, '').replaceAll('\\', '/');
      expect(run.stderr).toContain(shown);
      expect(run.stderr).not.toMatch(/X-Signature|t0ps3cret/);
      expect(server.requests).toHaveLength(1);
      expectUntouched(other);
      expectNoHarm(run);
    }
  });
});

describe('a redirect', () => {
  watchProcess();

  it.each([
    ['https://new.example/api/assets/a-1?x', 'It points to https://new.example/api/assets/a-1\n'],
    ['//new.example/v2/api/assets/a-1', 'It points to http://new.example/v2/api/assets/a-1\n'],
    ['/login', networkWords.checkBaseUrl],
    ['', networkWords.checkBaseUrl],
  ])('to %j shows where it leads', async (location, says) => {
    const headers = [`Location: ${location}`];
    const server = await faultyServer(respond('', { status: '301 Moved', headers }));
    const { stderr } = await mar(['asset', 'get', 'a-1'], { env: server.env });
    expect(stderr).toContain(says);
    expect(stderr).toContain(networkWords.checkBaseUrl);
  });

  it.each([
    ['without a target', []],
    ['to nowhere', ['Location: ']],
    ['to two places', ['Location: /api/a', 'Location: /api/b']],
    ['to a file', ['Location: file:///etc/passwd']],
    ['to a broken address', ['Location: http://[::1/%zz']],
    ['to a very long address', [`Location: /${'x'.repeat(8000)}`]],
    ['with a user and a password', ['Location: http://ines:hunter22@127.0.0.1:1/api']],
    ['with escape sequences', ['Location: /\x1b]0;owned\x07\x1b[2J\x9b31m']],
  ])('%s is a useless response', async (_name, headers) => {
    const server = await faultyServer(respond('', { status: '302 Found', headers }));
    for (const columns of [undefined, 80]) {
      const run = await mar(['asset', 'get', 'a-1', '--no-color'], { env: server.env, columns });
      expect(run, run.stderr).toMatchObject({ code: 1, stdout: '' });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
      expect(run.stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]|hunter22/);
      expectNoHarm(run);
    }
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['a password', ['login', '--email', 'a@b', '--password-stdin', '--insecure-storage'], 1],
    ['a token', ['login', '--email', 'a@b', '--token-stdin', '--insecure-storage'], 1],
    ['a check', ['whoami', '--check'], 1],
    ['a list of users', ['user', 'list'], 1],
    ['a diagnosis', ['doctor'], undefined],
  ])('does not lead %s elsewhere', async (_name, argv, code) => {
    const { server, other } = await twoServers((_own, port) =>
      respond('{}', {
        status: '307 Elsewhere',
        headers: [`Location: http://127.0.0.1:${port}/api/session`],
      }),
    );
    const env = { ...server.env, MAR_CONFIG_DIR: temporaryFolder() };
    const run = await mar(argv, { env, stdin: 'hunter22\n' });
    if (code === undefined) expect(run.code).not.toBe(0);
    else expect(run, run.stderr).toMatchObject({ code, stdout: '' });
    expectUntouched(other);
    expectNoHarm(run);
  });
});

describe('a link', () => {
  watchProcess();

  it.each(targets)('in a record to %s is shown, not followed', async (_name, location) => {
    const record = (own: number, other: number) => {
      const href = location(own, other);
      const links = { next: href, self: { href }, first: [{ href, rel: 'next' }] };
      return { _id: 'e-1', $links: links, _links: links, links, url: href, next: href };
    };
    for (const [argv, body] of [
      [['wr', 'get', 'wr-1'], record],
      [['file', 'list'], (own: number, other: number) => [record(own, other)]],
      [put, record],
    ] as const) {
      const { server, other } = await twoServers((own, port) =>
        respond(JSON.stringify(body(own, port))),
      );
      await marOk(argv, { env: server.env, stdin: '{"_id":"e-1"}' });
      expect(server.requests).toHaveLength(1);
      expectUntouched(other);
    }
  });

  it.each(targets)('in a header to %s is not followed', async (_name, location) => {
    for (const argv of [
      ['file', 'list', '--all', '--jsonl'],
      ['api', 'GET', '/files/_slug', '--all', '--jsonl'],
    ]) {
      let pages = 0;
      const { server, other } = await twoServers((own, port) => {
        const to = location(own, port);
        pages += 1;
        return respond(pages > 2 ? '[]' : `[{"_id":"f-${pages}"}]`, {
          headers: [
            `Link: <${to}>; rel="next", <${to}>; rel="self"; rel=preload`,
            `Content-Location: ${to}`,
            `Location: ${to}`,
            `Refresh: 0; url=${to}`,
            `Alt-Svc: h2="127.0.0.1:${port}"; persist=1`,
            'Set-Cookie: session=other; Path=/',
          ],
        });
      });
      const run = await marOk(argv, server);
      expect(run.stdout).toBe('{"_id":"f-1"}\n{"_id":"f-2"}\n');
      expect(server.requests).toHaveLength(3);
      for (const request of server.requests) {
        expect(request).toMatch(/^GET \/api\/files\/_slug HTTP/);
        expect(request).not.toMatch(/^cookie:/im);
      }
      expectUntouched(other);
    }
  });
});
