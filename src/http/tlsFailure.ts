import type { PeerCertificate } from 'node:tls';
import type { Explanation, Failure } from './failure.ts';

const privateCa = 'a private CA? trust its certificate with --ca-cert FILE or NODE_EXTRA_CA_CERTS';

/** What is wrong with the certificate of a service, by the code that Node gives it. */
const problems: Readonly<Record<string, { problem: string; hint: string }>> = {
  CERT_HAS_EXPIRED: { problem: 'has expired', hint: 'tell who runs the service; check your clock' },
  CERT_NOT_YET_VALID: { problem: 'is not valid yet', hint: 'check your clock' },
  CERT_REVOKED: { problem: 'was revoked', hint: 'tell who runs the service' },
  INVALID_PURPOSE: { problem: 'is not one for a server', hint: 'tell who runs the service' },
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
    problem: 'comes from a CA that is not trusted here, or one is missing from its chain',
    hint: privateCa,
  },
};

/** Whether a failure is about the certificate of the service. */
export const isCertificateCode = (code: string | undefined) =>
  code !== undefined && Object.hasOwn(problems, code);

export function explainTls(
  host: string,
  code: string | undefined,
  failure: Failure,
  isProxy = false,
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
      hint: `check ${isProxy ? 'HTTPS_PROXY and HTTP_PROXY' : 'the base URL (mar whoami)'}: is it the right host?`,
    };
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) {
    const alert = alertOf(failure);
    if (alert !== undefined) {
      return {
        reason: `${host} refused the TLS handshake (alert ${alert})`,
        hint: 'it wants another version of TLS, or a certificate from you, which mar does not send',
      };
    }
    return {
      reason: `${host} does not speak TLS`,
      hint: isProxy
        ? 'should its address in HTTPS_PROXY or HTTP_PROXY begin with http://?'
        : 'should the base URL begin with http:// (only for this machine), or have another port?',
    };
  }
  return undefined;
}

/**
 * The number of the alert that the other side sent (RFC 8446, 6): who sends one speaks TLS. OpenSSL
 * counts them from 1000 on, in the lower part of the number that Node puts in front of its message.
 */
function alertOf({ message = '' }: Failure): number | undefined {
  const number = Number.parseInt(/error:0A([\dA-F]{6}):/.exec(message)?.[1] ?? '', 16);
  return number >= 1000 && number < 1256 ? number - 1000 : undefined;
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
