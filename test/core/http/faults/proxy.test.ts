import { describe, expect, it } from 'vitest';
import { trustedTls } from '../../../harness/certificates.ts';
import {
  account,
  type Fault,
  faultyServer,
  hangUp,
  reset,
  respond,
  sendAndClose,
  silence,
  tunnelTo,
} from '../../../harness/faultyServer.ts';
import { mar } from '../../../harness/mar.ts';
import { leaks, proxyPassword, proxyUser } from '../../../harness/proxied.ts';
import { networkWords } from '../../../words/network.ts';
import { expectNoHarm, watchProcess } from './rows.ts';

const get = ['asset', 'get', 'a-1', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];

/** A command through a proxy that was seen to fail; what it says of that. */
async function failure(argv: readonly string[], env: Record<string, string>) {
  const run = await mar(argv, { env });
  expect(run, run.stderr).toMatchObject({ code: 7, stdout: '' });
  expectNoHarm(run);
  return JSON.parse(run.stderr).error as Record<'message' | 'hint' | 'outcome', string>;
}

describe('behind a tunnel that the proxy opened', () => {
  watchProcess();

  it.each<[name: string, onConnect: Fault]>([
    ['is silent', silence],
    ['resets the connection', (socket) => socket.once('data', () => reset(socket))],
  ])('it is the service that %s, and a write was not sent', async (_name, onConnect) => {
    const service = await faultyServer(silence, { scheme: 'https', onConnect });
    const proxy = await faultyServer(tunnelTo(service.port));
    const env = { ...service.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { message, outcome } = await failure([...create, '--timeout', '2s'], env);
    expect(message).toContain(`127.0.0.1:${service.port} `);
    expect(message).not.toContain('proxy');
    expect(outcome).toBe('not-sent');
  });

  it('a certificate that is not trusted is described, and the proxy is asked once', async () => {
    const service = await faultyServer(silence, { tls: trustedTls().tls });
    const proxy = await faultyServer(tunnelTo(service.port));
    const env = { ...service.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { message } = await failure([...get, '--retries', '0'], env);
    expect(message).toContain(`127.0.0.1:${service.port} ${networkWords.untrusted}`);
    expect(message).toContain('(media server');
    expect(proxy.requests).toHaveLength(1);
  });
});

const answer = (status: string) => sendAndClose(`HTTP/1.1 ${status}\r\n\r\n`);
const failures: [name: string, fault: Fault][] = [
  ['hangs up', hangUp],
  ['resets the connection', reset],
  ['talks nonsense', sendAndClose('220 mail.example ESMTP\r\n\r\n')],
  ['stops half way', sendAndClose('HTTP/1.1 200 Conn')],
  ['never answers', silence],
];

/** Variables for a service that only this proxy leads to. */
const through = (proxy: string, service: string) => ({
  ...account,
  MAR_BASE_URL: `${service}/api`,
  ALL_PROXY: proxy,
});

describe('a proxy that', () => {
  it.each<[name: string, status: string, says: RegExp, reads: number, scheme?: string]>([
    ['could not connect is asked again for a read', '503 Unavailable', /could not.*\(503\)/, 2],
    ['refuses a tunnel is asked once', '403 Forbidden', /\(403\)/, 1],
    ['wants a password is asked once', '407 Login', /user.*password/, 1],
    ['wants a password by http is asked once', '407 Login', /user.*password/, 1, 'http'],
  ])('%s, and once for a write, which was not sent', async (...row) => {
    const [, status, says, reads, scheme = 'https'] = row;
    const proxy = await faultyServer(answer(status));
    const env = through(`http://127.0.0.1:${proxy.port}`, `${scheme}://localhost:9`);
    for (const [argv, asked] of [
      [[...get, '--retries', '1'], reads],
      [create, reads + 1],
    ] as const) {
      const { message, hint, outcome } = await failure(argv, env);
      expect(message).toContain(`the proxy 127.0.0.1:${proxy.port} `);
      expect(`${message} ${hint}`).toMatch(says);
      expect(outcome).toBe(argv === create ? 'not-sent' : undefined);
      expect(proxy.requests).toHaveLength(asked);
    }
  });

  it.each(['http', 'https'])('is down is named, and nothing was sent by %s', async (scheme) => {
    const env = through('http://127.0.0.1:1', `${scheme}://localhost:9`);
    for (const argv of [[...get, '--retries', '0'], create]) {
      const { message, hint } = await failure(argv, env);
      expect(message).toContain('proxy 127.0.0.1:1');
      expect(hint).toContain('ALL_PROXY');
    }
    expect((await failure(create, env)).hint).toContain(networkWords.nothingSent);
  });

  it.each(failures)('%s gets a write by http once, of unknown outcome', async (_name, fail) => {
    const proxy = await faultyServer(fail);
    const env = through(`http://127.0.0.1:${proxy.port}`, 'http://localhost:9');
    const { code, stderr } = await mar([...create, '--timeout', '2s'], { env });
    // A response that is not HTTP is unusable; everything else is a network failure.
    expect([1, 7], stderr).toContain(code);
    expect(JSON.parse(stderr).error.outcome).toBe('unknown');
    const start = 'POST http://localhost:9/api/workrequests HTTP/1.1\r\n';
    expect(proxy.requests).toEqual([expect.stringContaining(start)]);
  });

  it.each(failures)('%s is asked once for a tunnel for a write, unsent', async (_name, fail) => {
    const proxy = await faultyServer(fail);
    const env = through(`http://127.0.0.1:${proxy.port}`, 'https://localhost:9');
    const { message, outcome } = await failure([...create, '--timeout', '2s'], env);
    expect(message).toContain(`proxy 127.0.0.1:${proxy.port}`);
    expect(outcome).toBe('not-sent');
    expect(proxy.requests).toEqual([expect.stringContaining('CONNECT localhost:9 HTTP/1.1\r\n')]);
  });

  it.each(['http', 'https'])('fails by %s does not make its password show', async (scheme) => {
    const proxy = await faultyServer(answer('407 Login'));
    const login = [proxyUser, proxyPassword].map(encodeURIComponent).join(':');
    const refusing = `http://${login}@127.0.0.1:${proxy.port}`;
    const isDown = `http://${login}@127.0.0.1:1`;
    const hasNoHost = `http://${login}@`;
    const isBadlyEncoded = refusing.replace('%3A', '%zz');
    for (const url of [refusing, isDown, hasNoHost, isBadlyEncoded]) {
      const env = { ...through(url, `${scheme}://localhost:9`), MAR_DEBUG: '1' };
      for (const argv of [[...get, '--retries', '0'], [...create, '--debug'], ['doctor']]) {
        const { code, stdout, stderr } = await mar(argv, { env });
        expect([2, 7], stdout + stderr).toContain(code);
        expect(leaks(stdout + stderr), stdout + stderr).toEqual([]);
      }
    }
  });
});

describe('a proxy that is asked over TLS', () => {
  it('is trusted by --ca-cert, as the service is, or named with its certificate', async () => {
    const { tls, caCert } = trustedTls();
    const service = await faultyServer(respond('{"_id":"a-1"}'), { tls });
    const proxy = await faultyServer(tunnelTo(service.port), { tls });
    const env = { ...service.env, HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    const { message } = await failure(get, env);
    expect(message).toContain(`the certificate of the proxy 127.0.0.1:${proxy.port} `);
    expect(message).toContain('media server');
    expect(service.connections).toEqual([]);
    const run = await mar([...get, '--ca-cert', caCert], { env });
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: '{"_id":"a-1"}\n' });
  });

  it('and speaks plain HTTP is reported', async () => {
    const proxy = await faultyServer(silence, {
      onConnect: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    });
    const { env } = await faultyServer(silence, { scheme: 'https' });
    const variables = { ...env, HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    const { message, hint } = await failure([...get, '--retries', '0'], variables);
    expect(message).toContain(`proxy 127.0.0.1:${proxy.port} ${networkWords.noTls}`);
    expect(hint).toContain('HTTPS_PROXY');
  });
});
