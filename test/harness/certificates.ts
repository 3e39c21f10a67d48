import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './mar.ts';

/** The files of a certificate and its key. */
export interface Certificate {
  file: string;
  key: string;
}

interface CertificateOptions {
  /** The name of the holder, which messages show. */
  name: string;
  /** Self-signed if missing. */
  issuer?: Certificate;
  /** It may sign other certificates. */
  isAuthority?: boolean;
  /** The hosts it is valid for: `DNS:localhost`, `IP:127.0.0.1`. */
  hosts?: readonly string[];
  isExpired?: boolean;
}

/** The addresses of the tests' servers. */
export const loopbackHosts = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1'];

export function makeCertificate(options: CertificateOptions): Certificate {
  const { name, issuer, isAuthority, hosts = [], isExpired } = options;
  const folder = temporaryFolder();
  const file = (base: string) => path.join(folder, base);
  const made = { file: file('certificate.pem'), key: file('key.pem') };
  const extensions = [
    `basicConstraints = critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
    ...(isAuthority ? ['keyUsage = critical,keyCertSign'] : []),
    ...(hosts.length > 0 ? [`subjectAltName = ${hosts.join(',')}`] : []),
  ];
  writeFileSync(file('extensions'), extensions.join('\n'));
  openssl(
    ...['req', '-new', '-subj', `/O=Northlight Studio/CN=${name}`, '-out', file('request.pem')],
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', made.key],
  );
  openssl(
    ...['x509', '-req', '-in', file('request.pem'), '-extfile', file('extensions')],
    ...(issuer ? ['-CA', issuer.file, '-CAkey', issuer.key] : ['-signkey', made.key]),
    ...['-days', isExpired ? '-1' : '90', '-out', made.file],
  );
  return made;
}

/** The options of a server that shows this certificate. */
export const tlsOf = ({ file, key }: Certificate) => ({
  cert: readFileSync(file),
  key: readFileSync(key),
});

const openssl = (...argv: string[]) => execFileSync('/usr/bin/openssl', argv, { stdio: 'pipe' });

/** A CA that no machine trusts. */
export const makeAuthority = (name: string, issuer?: Certificate) =>
  makeCertificate({ name, issuer, isAuthority: true });

/** Joins certificates in one file: a server's chain, or the bundle that a client trusts. */
export function bundle(...certificates: Certificate[]): string {
  const file = path.join(temporaryFolder(), 'bundle.pem');
  writeFileSync(file, certificates.map((one) => readFileSync(one.file, 'utf8')).join(''));
  return file;
}

/** The options of a server whose certificate a CA has signed, and the file of that CA. */
export function trustedTls() {
  const issuer = makeAuthority('Northlight Root');
  const own = makeCertificate({ name: 'media server', issuer, hosts: loopbackHosts });
  return { tls: tlsOf(own), caCert: issuer.file };
}
