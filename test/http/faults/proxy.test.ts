import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  loopbackHosts,
  makeAuthority,
  makeCertificate,
  tlsOf,
} from '../../harness/certificates.ts';
import {
  type Fault,
  faultyServer,
  reset,
  respond,
  sendAndClose,
  silence,
  tunnelTo,
} from '../../harness/faultyServer.ts';
import { mar, startMar } from '../../harness/mar.ts';
import { expectNoHarm, watchProcess } from './rows.ts';

const get = ['asset', 'get', 'a-1', '--json'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'];

function makeTrusted() {
  const authority = makeAuthority('Northlight Root');
  const name = 'media server';
  const tls = tlsOf(makeCertificate({ name, issuer: authority, hosts: loopbackHosts }));
  return { tls, ca: ['--ca-cert', authority.file] };
}

/** A command through a proxy that was seen to fail; what it says of that. */
async function failure(argv: readonly string[], env: Record<string, string>) {
  const run = await mar(argv, { env });
  expect(run, run.stderr).toMatchObject({ code: 7, stdout: '' });
  expectNoHarm(run);
  return JSON.parse(run.stderr).error as { message: string; hint: string };
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
    const { message, hint } = await failure([...create, '--timeout', '500ms'], env);
    expect(message).toContain(`127.0.0.1:${service.port} `);
    expect(message).not.toContain('proxy');
    expect(hint).toContain('Nothing was sent.');
  });

  describe('a certificate that is not trusted', () => {
    /** A proxy that opens one tunnel, and is silent when it is asked for another one. */
    async function oneTunnel() {
      const service = await faultyServer(silence, { tls: makeTrusted().tls });
      const requests = new EventEmitter();
      const askedAgain = once(requests, 'again');
      const proxy = await faultyServer([tunnelTo(service.port), () => requests.emit('again')]);
      return {
        env: { ...service.env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
        askedAgain,
      };
    }

    it('is reported even if it cannot be looked at again', async () => {
      const { env } = await oneTunnel();
      const { message } = await failure(get, env);
      expect(message).toMatch(/^the certificate of 127\.0\.0\.1:\d+ was issued by a CA/);
    });

    it('does not hold up an interruption while it is looked at', async () => {
      const { env, askedAgain } = await oneTunnel();
      const run = startMar(get, { env });
      await askedAgain;
      run.signal('SIGINT');
      expect(await run.ended).toMatchObject({ code: 130, stdout: '' });
    });
  });
});

describe('a proxy that could not connect to the service', () => {
  const throughIt = async () => {
    const proxy = await faultyServer(sendAndClose('HTTP/1.1 503 Service Unavailable\r\n\r\n'));
    const { env } = await faultyServer(silence, { scheme: 'https' });
    return { proxy, env: { ...env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } };
  };

  it('is asked again for a read, for that may pass', async () => {
    const { proxy, env } = await throughIt();
    const { message } = await failure([...get, '--retries', '1'], env);
    expect(message).toMatch(/^the proxy \S+ could not connect to \S+ \(503\)$/);
    expect(proxy.requests).toHaveLength(2);
  });

  it('is asked once for a write, which was not sent', async () => {
    const { proxy, env } = await throughIt();
    const { hint } = await failure(create, env);
    expect(hint).not.toContain('Check before you send it again');
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('a proxy that is asked over TLS', () => {
  const open = async () => {
    const { tls, ca } = makeTrusted();
    const service = await faultyServer(respond('{"_id":"a-1"}'), { tls });
    const proxy = await faultyServer(tunnelTo(service.port), { tls });
    const env = { ...service.env, HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    return { ca, proxy, service, env };
  };

  it('is trusted by --ca-cert, as the service is', async () => {
    const { env, ca } = await open();
    const run = await mar([...get, ...ca], { env });
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: '{"_id":"a-1"}\n' });
  });

  it('and not trusted is named, with its certificate, in place of the service', async () => {
    const { env, proxy, service } = await open();
    const { message } = await failure(get, env);
    expect(message).toContain(`the certificate of the proxy 127.0.0.1:${proxy.port} `);
    expect(message).toContain('media server');
    expect(service.connections).toEqual([]);
  });

  it('and speaks plain HTTP is reported', async () => {
    const proxy = await faultyServer(silence, {
      onConnect: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    });
    const { env } = await faultyServer(silence, { scheme: 'https' });
    const { message, hint } = await failure([...get, '--retries', '0'], {
      ...env,
      HTTPS_PROXY: `https://127.0.0.1:${proxy.port}`,
    });
    expect(message).toContain(`the proxy 127.0.0.1:${proxy.port} does not speak TLS`);
    expect(hint).toContain('HTTPS_PROXY');
  });
});
