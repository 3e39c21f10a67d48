import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import {
  bundle,
  type Certificate,
  loopbackHosts,
  makeAuthority,
  makeCertificate,
  tlsOf,
} from '../../../harness/certificates.ts';
import {
  type Fault,
  hangUp,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
  sendAndReset,
  silence,
} from '../../../harness/faultyServer.ts';
import { networkWords } from '../../../words/network.ts';
import { body, failing, faultTable, inEachWay, type Row, usable, watchProcess } from './rows.ts';

const good = respond(body);
const ninetyNine = responseHead({ headers: ['Content-Length: 99'] });
const trusting = (file: string) => ['--retries', '0', '--ca-cert', file];
const ownCertificate = () => makeCertificate({ name: 'own', hosts: loopbackHosts });
const rootOf = (name = 'Northlight Root') => makeAuthority(name);

/** A row with a server that speaks TLS, and whose certificate mar trusts. */
function secured(row: Row, certificate = ownCertificate(), ca = certificate.file): Row {
  const flags = [...trusting(ca), ...(row.flags ?? [])];
  return { ...row, options: { tls: tlsOf(certificate) }, flags };
}

/** A certificate whose issuer is not the root, and what a server sends to show that. */
function makeChain() {
  const root = rootOf();
  const intermediate = makeAuthority('Northlight Issuing', root);
  const leaf = makeCertificate({ name: 'own', issuer: intermediate, hosts: loopbackHosts });
  return { root, intermediate, leaf, chain: { ...leaf, file: bundle(leaf, intermediate) } };
}

describe('a certificate is not trusted', () => {
  watchProcess();

  const options = { name: 'own', hosts: loopbackHosts };
  it.each<[name: string, make: () => [shown: Certificate, says: RegExp, ca?: Certificate]]>([
    ['when nobody vouches for it', () => [ownCertificate(), /is self-signed \(own.*--ca-cert/s]],
    [
      'when it is for other names',
      () => {
        const hosts = ['DNS:media.example', 'DNS:*.backup.example', 'IP:192.0.2.7'];
        const other = makeCertificate({ name: 'other', hosts });
        return [other, /media\.example.*\*\.backup\.example.*192\.0\.2\.7/, other];
      },
    ],
    [
      'when its time is over',
      () => {
        const old = makeCertificate({ ...options, isExpired: true });
        const { validTo } = new X509Certificate(readFileSync(old.file));
        return [old, new RegExp(`expired.*${validTo}`), old];
      },
    ],
    [
      'when its CA is not known',
      () => [
        makeCertificate({ ...options, issuer: rootOf() }),
        /own.*Northlight Root.*--ca-cert.*NODE_EXTRA_CA_CERTS/s,
      ],
    ],
    [
      'when another CA has the name of its own',
      () => [makeCertificate({ ...options, issuer: rootOf() }), /certificate/, rootOf()],
    ],
    [
      'when the server does not send the CA between it and the root',
      () => {
        const { leaf, root } = makeChain();
        return [leaf, /Northlight Issuing/, root];
      },
    ],
    ['when the root of its CA is not known', () => [makeChain().chain, /Northlight Issuing/]],
  ])('%s, and nothing is sent', async (name, make) => {
    const [certificate, says, ca] = make();
    const flags = ca ? trusting(ca.file) : [];
    const options = { tls: tlsOf(certificate) };
    await inEachWay({ name, server: good, options, flags, code: 7, says, requests: 0 });
  });
});

describe('a TLS handshake with', () => {
  const handshake = (name: string, onConnect: Fault, says?: RegExp | string) =>
    failing(name, silence, 7, says, {
      options: { scheme: 'https', onConnect },
      flags: ['--retries', '0'],
      requests: 0,
    });
  const plain = send('HTTP/1.1 400 Bad Request\r\n\r\n');
  const alert = sendAndClose(Buffer.from('15030300020228', 'hex'));
  faultTable([
    handshake('a server that speaks HTTP', plain, networkWords.noTls),
    handshake('a server that hangs up', hangUp),
    handshake('a server that resets', reset),
    handshake('a server that sends an alert', alert, /alert 40/),
    handshake('a server that sends noise', send(Buffer.alloc(200, 0xee))),
  ]);
});

describe('over TLS,', () => {
  watchProcess();

  const redirect = { status: '302 Found', headers: ['Location: http://127.0.0.1:1/api'] };
  it.each<[name: string, server: Fault, code: number, says: RegExp | string]>([
    ['a server that hangs up after the request', hangUp, 7, /./],
    ['a server that resets after the request', sendAndReset(), 7, /./],
    ['half an answer', sendAndClose(ninetyNine, '{'), 1, networkWords.cutOff],
    ['half an answer, reset', sendAndReset(ninetyNine, '{'), 1, networkWords.cutOff],
    ['what is not HTTP', send('SSH-2.0-x\r\n'), 1, networkWords.unusable],
    ['a redirect to plain HTTP', respond('', redirect), 1, /127\.0\.0\.1:1\/api/],
  ])('%s fails as it does without', (name, server, code, says) =>
    inEachWay(secured({ name, server, code, says })),
  );

  it('the deadline holds', async () => {
    // Enough for three handshakes on a slow machine.
    const late = { flags: ['--timeout', '4s'], takesMs: [4000, 8000] } as const;
    await inEachWay(secured(failing('silence', silence, 7, /\b4s\b/, late)));
  });

  it('a good response is read', () => inEachWay(secured(usable('good', good))));

  it('a chain is followed to the root, with the CA between from the server or the file', async () => {
    const { root, intermediate, leaf, chain } = makeChain();
    await inEachWay(secured(usable('sent', good), chain, root.file));
    await inEachWay(secured(usable('in the file', good), leaf, bundle(intermediate, root)));
  });
});
