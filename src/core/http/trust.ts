import tls, { type SecureContext } from 'node:tls';
import { orUndefined, usageError } from '../errors.ts';
import { readNamedFile } from '../files/paths.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { readReason } from '../files/systemReason.ts';

/** Certificates that a connection trusts and shows. Made once: reading all is slower than a handshake. */
export interface Trust {
  secureContext?: SecureContext;
}

export interface TrustOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** A file of certificates to trust as well. */
  caCert?: string;
  /** The certificate that mar shows to the service. */
  clientCert?: string;
  /** Its key; in the same file if absent. */
  clientKey?: string;
  /** The only origin that gets this certificate; any service if absent. */
  clientOrigin?: string;
}

/** For the service at an origin, or for a proxy, which gets no client certificate. */
export async function loadTrust(
  options: TrustOptions,
  origin: string | 'proxy',
  system: readonly string[] = [],
): Promise<Trust> {
  const { caCert, env, clientOrigin = origin } = options;
  const own = caCert === undefined ? [] : [await readCertificates('--ca-cert', caCert)];
  const isClient = origin !== 'proxy' && origin === clientOrigin;
  const client = isClient ? await readClientCertificate(options) : {};
  // Node itself ignores this file if it cannot read it.
  const extra =
    orUndefined(() => readRegularFile(env.NODE_EXTRA_CA_CERTS ?? '').toString('utf8')) ?? [];
  // A list of certificates replaces Node's own list, so it includes those that Node would trust.
  const all = [...tls.rootCertificates, extra, ...system, ...own].flat();
  const ca = own.length + system.length > 0 ? all : undefined;
  return { secureContext: tls.createSecureContext({ ca, ...client }) };
}

/** Since Node 22.15 and 23.10. */
const { getCACertificates } = tls as { getCACertificates?(type: 'system'): string[] };

/** The certificates that the system trusts and Node does not. */
export function systemCertificates(): string[] {
  const known = new Set(tls.rootCertificates);
  return [...new Set(getCACertificates?.('system'))].filter((one) => !known.has(one));
}

const certificateBlock = /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----.*?-----END \1-----/gs;

async function readCertificates(flag: string, file: string): Promise<string> {
  const pem = readPem(flag, file);
  const certificates = pem.match(certificateBlock) ?? [];
  if (certificates.length === 0) throw pemError(flag, file, 'it contains no certificate');
  const { X509Certificate } = await import('node:crypto');
  // OpenSSL silently skips a certificate that it cannot read.
  for (const [index, certificate] of certificates.entries()) {
    if (!orUndefined(() => new X509Certificate(certificate))) {
      throw pemError(flag, file, `certificate ${index + 1} of ${certificates.length} is invalid`);
    }
  }
  return pem;
}

const passphraseName = 'MAR_CLIENT_KEY_PASSPHRASE';

async function readClientCertificate({ clientCert, clientKey, env }: TrustOptions) {
  if (clientCert === undefined && clientKey === undefined) return {};
  if (clientCert === undefined) {
    throw usageError('--client-key needs --client-cert', { flag: '--client-key' });
  }
  const cert = await readCertificates('--client-cert', clientCert);
  const [flag, file] =
    clientKey === undefined ? ['--client-cert', clientCert] : ['--client-key', clientKey];
  const key = readPem(flag, file);
  const passphrase = env[passphraseName];
  if (!orUndefined(() => tls.createSecureContext({ cert, key, passphrase }))) {
    const problem = `it has no private key for ${clientCert}, or ${passphraseName} does not open it`;
    throw pemError(flag, file, problem);
  }
  return { cert, key, passphrase };
}

function readPem(flag: string, file: string): string {
  try {
    return readNamedFile(file).toString('utf8');
  } catch (error) {
    throw pemError(flag, file, readReason(error));
  }
}

const pemError = (flag: string, file: string, problem: string) =>
  usageError(`${flag} ${file}: ${problem}`, 'Give a file in PEM format.', { flag, value: file });
