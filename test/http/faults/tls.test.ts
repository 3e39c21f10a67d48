import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  answer,
  faultyServer,
  hangUp,
  head,
  reset,
  say,
  sayAndClose,
  sayAndReset,
  silence,
} from '../../harness/faultyServer.ts';
import { mar } from '../../harness/mar.ts';
import { expectNoHarm, faultTable, type Row } from './rows.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mar-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keyFile = path.join(folder, 'key.pem');
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', keyFile);

/** A certificate that vouches for itself. */
function certificate(name: string, subject: string, days = 2) {
  const file = path.join(folder, `${name}.pem`);
  const request = path.join(folder, `${name}.csr`);
  const extension = ['-addext', `subjectAltName=${subject}`];
  openssl('req', '-new', '-key', keyFile, '-subj', `/CN=${name}`, ...extension, '-out', request);
  const copy = ['-copy_extensions', 'copyall', '-days', String(days)];
  openssl('x509', '-req', '-in', request, '-signkey', keyFile, ...copy, '-out', file);
  return { file, tls: { cert: readFileSync(file), key: readFileSync(keyFile) } };
}

const own = certificate('own', 'IP:127.0.0.1');
const foreign = certificate('foreign', 'DNS:media.example');
const expired = certificate('expired', 'IP:127.0.0.1', -1);
const trusting = (file: string) => ['--retries', '0', '--ca-cert', file];

describe('over TLS', () => {
  const untrusted = (name: string, row: Partial<Row>): Row => ({
    name,
    server: answer('{"_id":"a-1"}'),
    code: 7,
    requests: 0,
    ...row,
  });
  const within = (name: string, row: Pick<Row, 'server'> & Partial<Row>): Row => ({
    name,
    options: { tls: own.tls },
    flags: trusting(own.file),
    code: 7,
    ...row,
  });
  faultTable([
    untrusted('a certificate that nobody vouches for is not trusted', {
      options: { tls: own.tls },
      says: /certificate/,
    }),
    untrusted('a certificate of another name is not trusted', {
      options: { tls: foreign.tls },
      flags: trusting(foreign.file),
      says: /certificate.*media\.example|media\.example.*certificate/s,
    }),
    untrusted('a certificate that is over is not trusted', {
      options: { tls: expired.tls },
      flags: trusting(expired.file),
      says: /certificate.*expired|expired.*certificate/s,
    }),
    untrusted('a server without TLS is told so', {
      options: { scheme: 'https', onConnect: say('HTTP/1.1 400 Bad Request\r\n\r\n') },
      says: /TLS/,
    }),
    untrusted('a server that hangs up in the handshake', {
      options: { scheme: 'https', onConnect: hangUp },
      flags: ['--retries', '0'],
    }),
    untrusted('a server that resets in the handshake', {
      options: { scheme: 'https', onConnect: reset },
      flags: ['--retries', '0'],
    }),
    untrusted('a server that sends an alert', {
      options: { scheme: 'https', onConnect: sayAndClose(Buffer.from('15030300020228', 'hex')) },
      flags: ['--retries', '0'],
    }),
    untrusted('a server that sends noise in the handshake', {
      options: { scheme: 'https', onConnect: say(Buffer.alloc(200, 0xee)) },
      flags: ['--retries', '0'],
    }),
    within('a server that hangs up after the request', { server: hangUp }),
    within('a server that resets after the request', { server: sayAndReset() }),
    within('a server that says nothing', {
      server: silence,
      flags: [...trusting(own.file), '--timeout', '300ms'],
      says: /within 300ms/,
    }),
    within('half an answer', {
      server: sayAndClose(head({ headers: ['Content-Length: 99'] }), '{'),
      code: 1,
      says: /cut its answer off/,
    }),
    within('half an answer, reset', {
      server: sayAndReset(head({ headers: ['Content-Length: 99'] }), '{'),
      code: 1,
      says: /cut its answer off/,
    }),
    within('what is not HTTP', {
      server: say('SSH-2.0-OpenSSH_9.2\r\n'),
      code: 1,
      says: /cannot be used/,
    }),
    within('a redirect to plain HTTP', {
      server: answer('', { status: '302 Found', headers: ['Location: http://127.0.0.1:1/api'] }),
      code: 1,
      says: /redirected/,
    }),
    within('a good answer is read', {
      server: answer('{"_id":"a-1"}'),
      code: 0,
      prints: [{ _id: 'a-1' }],
    }),
  ]);
});

describe('a certificate that is not trusted', () => {
  it('is told in time, when the server does not show it twice', async () => {
    const secure = await faultyServer(silence, { tls: own.tls });
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
    const run = await mar(['asset', 'get', 'a-1', '--timeout', '500ms'], server);
    expect(run, run.stderr).toMatchObject({ code: 7, stdout: '' });
    expectNoHarm(run);
    await server.released();
    expect(performance.now() - start).toBeLessThan(3000);
    expect(secure.requests).toEqual([]);
  });
});
