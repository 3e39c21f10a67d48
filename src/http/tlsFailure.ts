import type { PeerCertificate } from 'node:tls';
import type { Explanation, Failure } from './explanation.ts';

const privateCa = 'a private CA? trust its certificate with --ca-cert FILE or NODE_EXTRA_CA_CERTS';

/** What is wrong with the certificate of a service, by the code that Node gives it. */
const problems: Readonly<Record<string, { problem: string; hint: string }>> = {
  CERT_HAS_EXPIRED: { problem: 'has expired', hint: 'tell who runs the service; check your clock' },
  CERT_NOT_YET_VALID: { problem: 'is not valid yet', hint: 'check your clock' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { problem: 'is signed by itself', hint: privateCa },
  SELF_SIGNED_CERT_IN_CHAIN: {
    problem: 'comes from a CA that is not trusted here',
    hint: privateCa,
  },
  UNABLE_TO_GET_ISSUER_CERT: {
    problem: 'comes from a CA that is not trusted here',
    hint: privateCa,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    problem: 'comes from a CA that is not trusted here',
    hint: privateCa,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    problem: 'comes from a CA that is not trusted here, or the service leaves one out of its chain',
    hint: privateCa,
  },
};

/** Whether a failure is about the certificate of the service. */
export const isCertificateCode = (code: string | undefined) =>
  code !== undefined && Object.hasOwn(problems, code);

/** Whether a failure is about TLS at all. */
export const isTlsCode = (code: string | undefined) =>
  isCertificateCode(code) ||
  code === 'ERR_TLS_CERT_ALTNAME_INVALID' ||
  code === 'EPROTO' ||
  code?.startsWith('ERR_SSL_') === true;

export function explainTls(
  { host }: URL,
  code: string | undefined,
  failure: Failure,
): Explanation | undefined {
  const known = code === undefined ? undefined : problems[code];
  if (known) {
    return {
      reason: `the certificate of ${host} ${known.problem}${describe(failure.cert)}`,
      hint: known.hint,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = alternativeNames(failure.cert);
    return {
      reason: `the certificate of ${host} is for ${names}`,
      hint: 'check the base URL (mar whoami): does it name the right host?',
    };
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) {
    return {
      reason: `${host} does not speak TLS`,
      hint: 'should the base URL begin with http:// (only for this machine), or have another port?',
    };
  }
  return undefined;
}

/** The names and addresses that a certificate is for, as people write them. */
function alternativeNames(certificate: PeerCertificate | undefined): string {
  const names = certificate?.subjectaltname?.split(', ').map((entry) => {
    const name = entry.replace(/^(DNS|IP Address):/, '');
    // Node writes an IPv6 address with all its zeros; a URL does not.
    const address = `http://[${name}]`;
    return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : name;
  });
  return names?.join(', ') ?? 'other names';
}

function describe(certificate: PeerCertificate | undefined): string {
  if (!certificate?.subject) return '';
  const { subject, valid_to } = certificate;
  return ` (${nameOf(subject)}, issued by ${nameOf(topOf(certificate).issuer)}, valid to ${valid_to})`;
}

/** The last certificate that the service sent: who issued that one is who would have to be known. */
function topOf(certificate: PeerCertificate & { issuerCertificate?: PeerCertificate }) {
  let top = certificate;
  for (let depth = 0; depth < 10; depth += 1) {
    const above = top.issuerCertificate;
    if (!above?.subject || above === top) break;
    top = above;
  }
  return top;
}

const nameOf = (subject: PeerCertificate['subject']) =>
  [subject?.CN ?? subject?.O ?? 'unknown'].flat().join(', ');
