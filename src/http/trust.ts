import { readFileSync } from 'node:fs';
import type { SecureContext } from 'node:tls';
import { systemCode, usageError } from '../errors.ts';
import { readReason } from '../files/systemReason.ts';

/** What a connection trusts. Made once: to read all certificates takes longer than a handshake. */
export interface Trust {
  secureContext?: SecureContext;
}

/** Node's own certificates, those of `NODE_EXTRA_CA_CERTS`, and the file's: naming any drops the rest. */
export async function trusted(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Trust> {
  const { createSecureContext, rootCertificates } = await import('node:tls');
  const extra = env.NODE_EXTRA_CA_CERTS;
  const own = await readCertificates(file);
  const ca = [...rootCertificates, ...(extra ? [readQuietly(extra)] : []), own];
  return { secureContext: createSecureContext({ ca }) };
}

const certificateBlock = /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----.*?-----END \1-----/gs;

async function readCertificates(file: string): Promise<string> {
  const text = readText(file);
  const certificates = text.match(certificateBlock) ?? [];
  if (certificates.length === 0) throw unfit(file, 'there is no certificate in it');
  const { X509Certificate } = await import('node:crypto');
  // OpenSSL goes on without those that it cannot read, and what they vouch for is not trusted then.
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw unfit(file, `certificate ${index + 1} of ${certificates.length} cannot be read`);
    }
  }
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCode(error) ?? 'unknown failure';
    throw unfit(file, readReason(error, `it cannot be read (${code})`));
  }
}

const unfit = (file: string, problem: string) =>
  usageError(`--ca-cert ${file}: ${problem}`, 'give a file of certificates in PEM form');

/** Node itself goes on without a file that it cannot read. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
