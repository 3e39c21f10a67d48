import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  type Certificate,
  loopbackHosts,
  makeCertificate,
  tlsOf,
} from '../../harness/certificates.ts';
import {
  type Fault,
  faultyServer,
  hangUp,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
  sendAndReset,
  silence,
} from '../../harness/faultyServer.ts';
import { mar } from '../../harness/mar.ts';
import {
  body,
  expectNoHarm,
  failing,
  faultTable,
  inEachWay,
  type Row,
  usable,
  watchProcess,
} from './rows.ts';

const good = respond(body);
const ninetyNine = responseHead({ headers: ['Content-Length: 99'] });
const trusting = ({ file }: Certificate) => ['--retries', '0', '--ca-cert', file];
const ownCertificate = () => makeCertificate({ name: 'own', hosts: loopbackHosts });

/** A row with a server that speaks TLS, and whose certificate mar trusts. */
function secured(row: Row): Row {
  const certificate = ownCertificate();
  const flags = [...trusting(certificate), ...(row.flags ?? [])];
  return { ...row, options: { tls: tlsOf(certificate) }, flags };
}

describe('a certificate is not trusted', () => {
  watchProcess();

  it.each<[name: string, make: () => Certificate, isKnown: boolean, says: RegExp]>([
    ['when nobody vouches for it', ownCertificate, false, /certificate.*is self-signed/],
    [
      'when it is for another name',
      () => makeCertificate({ name: 'other', hosts: ['DNS:media.example'] }),
      true,
      /certificate.*media\.example/,
    ],
    [
      'when its time is over',
      () => makeCertificate({ name: 'old', hosts: loopbackHosts, isExpired: true }),
      true,
      /certificate.*expired/,
    ],
  ])('%s, and nothing is sent', async (name, make, isKnown, says) => {
    const certificate = make();
    const flags = isKnown ? trusting(certificate) : [];
    const options = { tls: tlsOf(certificate) };
    await inEachWay({ name, server: good, options, flags, code: 7, says, requests: 0 });
  });

  it('even when the server does not show it twice', async () => {
    const secure = await faultyServer(silence, { tls: tlsOf(ownCertificate()) });
    const server = await faultyServer(silence, {
      scheme: 'https',
      onConnect(socket) {
        if (server.connections.length > 1) return;
        const upstream = connect(secure.port, '127.0.0.1');
        upstream.on('error', () => {});
        socket.pipe(upstream).pipe(socket);
      },
    });
    const start = performance.now();
    const run = await mar(['asset', 'get', 'a-1'], server);
    expect(run, run.stderr).toMatchObject({ code: 7, stdout: '' });
    expect(run.stderr).toContain('certificate');
    expectNoHarm(run);
    await server.released();
    expect(performance.now() - start).toBeLessThan(4000);
    expect(secure.requests).toEqual([]);
  });
});

describe('a TLS handshake with', () => {
  const handshake = (name: string, onConnect: Fault, says?: RegExp) =>
    failing(name, silence, 7, says, {
      options: { scheme: 'https', onConnect },
      flags: ['--retries', '0'],
      requests: 0,
    });
  const plain = send('HTTP/1.1 400 Bad Request\r\n\r\n');
  const alert = sendAndClose(Buffer.from('15030300020228', 'hex'));
  faultTable([
    handshake('a server that speaks HTTP', plain, /does not speak TLS/),
    handshake('a server that hangs up', hangUp),
    handshake('a server that resets', reset),
    handshake('a server that sends an alert', alert, /refused the TLS handshake \(alert 40\)/),
    handshake('a server that sends noise', send(Buffer.alloc(200, 0xee))),
  ]);
});

describe('over TLS,', () => {
  watchProcess();

  const redirect = { status: '302 Found', headers: ['Location: http://127.0.0.1:1/api'] };
  it.each<[name: string, server: Fault, code: number, says: RegExp]>([
    ['a server that hangs up after the request', hangUp, 7, /./],
    ['a server that resets after the request', sendAndReset(), 7, /./],
    ['half an answer', sendAndClose(ninetyNine, '{'), 1, /the response from \S+ was cut off/],
    [
      'half an answer, reset',
      sendAndReset(ninetyNine, '{'),
      1,
      /the response from \S+ was cut off/,
    ],
    ['what is not HTTP', send('SSH-2.0-x\r\n'), 1, /unusable response/],
    ['a redirect to plain HTTP', respond('', redirect), 1, /redirected/],
  ])('%s fails as it does without', (name, server, code, says) =>
    inEachWay(secured({ name, server, code, says })),
  );

  it('the deadline holds', async () => {
    // Enough for three handshakes on a slow machine.
    const late = { flags: ['--timeout', '4s'], takesMs: [4000, 4000] } as const;
    await inEachWay(secured(failing('silence', silence, 7, /within 4s/, late)));
  });

  it('a good response is read', () => inEachWay(secured(usable('good', good))));
});
