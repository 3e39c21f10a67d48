import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Certificate, loopbackHosts, makeCertificate } from '../../harness/certificates.ts';
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
import { expectNoHarm, faultTable, inEachWay, type Row, watchProcess } from './rows.ts';

const good = respond('{"_id":"a-1"}');
const ninetyNine = responseHead({ headers: ['Content-Length: 99'] });
const tlsOf = ({ file, key }: Certificate) => ({
  cert: readFileSync(file),
  key: readFileSync(key),
});
const trusting = ({ file }: Certificate) => ['--retries', '0', '--ca-cert', file];
const ownCertificate = () => makeCertificate({ name: 'own', hosts: loopbackHosts });

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
  const handshake = (name: string, onConnect: Fault, row: Partial<Row> = {}): Row => ({
    name,
    server: silence,
    options: { scheme: 'https', onConnect },
    flags: ['--retries', '0'],
    code: 7,
    requests: 0,
    ...row,
  });
  faultTable([
    handshake('a server that speaks HTTP', send('HTTP/1.1 400 Bad Request\r\n\r\n'), {
      says: /does not speak TLS/,
    }),
    handshake('a server that hangs up', hangUp),
    handshake('a server that resets', reset),
    handshake('a server that sends an alert', sendAndClose(Buffer.from('15030300020228', 'hex')), {
      says: /refused the TLS handshake \(alert 40\)/,
    }),
    handshake('a server that sends noise', send(Buffer.alloc(200, 0xee))),
  ]);
});

describe('over TLS,', () => {
  watchProcess();

  it.each<[name: string, server: Fault, row: Partial<Row>]>([
    ['a server that hangs up after the request', hangUp, {}],
    ['a server that resets after the request', sendAndReset(), {}],
    [
      'half an answer',
      sendAndClose(ninetyNine, '{'),
      { code: 1, says: /the response from \S+ was cut off/ },
    ],
    [
      'half an answer, reset',
      sendAndReset(ninetyNine, '{'),
      { code: 1, says: /the response from \S+ was cut off/ },
    ],
    ['what is not HTTP', send('SSH-2.0-x\r\n'), { code: 1, says: /unusable response/ }],
    [
      'a redirect to plain HTTP',
      respond('', { status: '302 Found', headers: ['Location: http://127.0.0.1:1/api'] }),
      { code: 1, says: /redirected/ },
    ],
  ])('%s fails as it does without', async (name, server, row) => {
    const certificate = ownCertificate();
    const options = { tls: tlsOf(certificate) };
    await inEachWay({ name, server, options, flags: trusting(certificate), code: 7, ...row });
  });

  it('the deadline holds', async () => {
    const certificate = ownCertificate();
    await inEachWay({
      name: 'silence',
      server: silence,
      options: { tls: tlsOf(certificate) },
      // Enough for three handshakes on a slow machine.
      flags: [...trusting(certificate), '--timeout', '4s'],
      code: 7,
      says: /within 4s/,
      takesMs: [4000, 4000],
    });
  });

  it('a good response is read', async () => {
    const certificate = ownCertificate();
    const options = { tls: tlsOf(certificate) };
    const prints = [{ _id: 'a-1' }];
    const row = { name: 'good', server: good, options, flags: trusting(certificate), prints };
    await inEachWay({ ...row, code: 0 });
  });
});
