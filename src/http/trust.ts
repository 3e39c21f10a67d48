import { readFileSync } from 'node:fs';
import type { SecureContext } from 'node:tls';
import { orUndefined, usageError } from '../errors.ts';
import { readReason } from '../files/systemReason.ts';

/** Certificates that a connection trusts. Made once: reading all of them is slower than a handshake. */
export interface Trust {
  secureContext?: SecureContext;
}

/** A list of certificates replaces Node's own list, so it includes those that Node would trust. */
export async function loadTrust(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Trust> {
  const { createSecureContext, rootCertificates } = await import('node:tls');
  // Node itself ignores this file if it cannot read it.
  const extra = orUndefined(() => readFileSync(env.NODE_EXTRA_CA_CERTS ?? '', 'utf8')) ?? [];
  const ca = [...rootCertificates, extra, await readCertificates(file)].flat();
  return { secureContext: createSecureContext({ ca }) };
}

const certificateBlock = /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----.*?-----END \1-----/gs;

async function readCertificates(file: string): Promise<string> {
  const pem = readPem(file);
  const certificates = pem.match(certificateBlock) ?? [];
  if (certificates.length === 0) throw caCertError(file, 'it contains no certificate');
  const { X509Certificate } = await import('node:crypto');
  // OpenSSL silently skips a certificate that it cannot read.
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw caCertError(file, `certificate ${index + 1} of ${certificates.length} is invalid`);
    }
  }
  return pem;
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw caCertError(file, readReason(error));
  }
}

const caCertError = (file: string, problem: string) =>
  usageError(`--ca-cert ${file}: ${problem}`, 'Give a file with certificates in PEM format.');
