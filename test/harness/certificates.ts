import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './mar.ts';

/** A certificate and its key, as files. */
export interface Certificate {
  file: string;
  key: string;
}

interface CertificateOptions {
  /** Whom it is for, and what it is called in messages. */
  name: string;
  /** Who signs it; without one it signs itself. */
  issuer?: Certificate;
  /** Whether it may sign others. */
  isAuthority?: boolean;
  /** The hosts that it is good for: `DNS:localhost`, `IP:127.0.0.1`. */
  hosts?: readonly string[];
  isExpired?: boolean;
}

/** Where a server of these tests is to be found. */
export const loopbackHosts = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1'];

export function makeCertificate({
  name,
  issuer,
  isAuthority = false,
  hosts = [],
  isExpired = false,
}: CertificateOptions): Certificate {
  const folder = temporaryFolder();
  const file = (end: string) => path.join(folder, end);
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

const openssl = (...argv: string[]) => execFileSync('/usr/bin/openssl', argv, { stdio: 'pipe' });

/** A CA that no machine knows. */
export const makeAuthority = (name: string, issuer?: Certificate) =>
  makeCertificate({ name, issuer, isAuthority: true });

/** Several certificates in one file: a chain that a server sends, or a bundle that a client trusts. */
export function bundle(...certificates: Certificate[]): string {
  const file = path.join(temporaryFolder(), 'bundle.pem');
  writeFileSync(file, certificates.map((one) => readFileSync(one.file, 'utf8')).join(''));
  return file;
}
