import type { PeerCertificate } from 'node:tls';
import { MarError, systemCode } from '../errors.ts';
import { formatDuration } from '../values/duration.ts';
import { type HttpRequest, isRead, outcomeUnknownHint, probablyDoneHint } from './message.ts';

/** What Node, or our own deadline, says went wrong. */
export interface Failure {
  code?: string;
  message?: string;
  /** Of our own deadline. */
  timeoutMs?: number;
  /** The certificate that was not accepted, where it is known. */
  cert?: PeerCertificate;
}

/** What failed, and what to do about it. */
export interface Explanation {
  reason: string;
  /** None where there is nothing to do but to try again. */
  hint?: string;
  /** It may be gone the next time. */
  isPassing?: boolean;
}

const minute = 60_000;

/** Failures that may be gone the next time: worth another attempt, where attempts are allowed. */
const transientErrors = new WeakSet<object>();
export const isTransient = (error: unknown) =>
  typeof error === 'object' && error !== null && transientErrors.has(error);

/** How far a request has come. */
export interface Reached {
  /** Something of it may have left. */
  isSent: boolean;
  /** The proxy, as long as it is what is waited for. */
  stoppedAt?: URL;
}

/** The service was not reached, or did not answer in time. */
export function networkError(
  request: HttpRequest,
  failure: Failure,
  { isSent, stoppedAt }: Reached,
): MarError {
  const code = systemCode(failure);
  if (isParsing(code) && !stoppedAt) return notHttpError(request, failure);
  const explanation = explain(stoppedAt ?? request.url, code, failure, stoppedAt);
  const error = new MarError('network', explanation.reason, {
    hint: hintFor(request, isSent, explanation),
    ...facts(request),
    cause: failure,
    isUnsent: !isSent,
  });
  if (explanation.isPassing) transientErrors.add(error);
  return error;
}

/** The reason for which it was given up; a write may have been carried out all the same. */
export function interruption(request: HttpRequest, reason: unknown, { isSent }: Reached): unknown {
  if (!(reason instanceof MarError) || isRead(request.method) || !isSent) return reason;
  const hint = outcome(request, isSent);
  return new MarError(reason.kind, reason.message, { hint, ...facts(request), cause: reason });
}

/** The proxy answered in place of the service. */
export function proxyError(request: HttpRequest, proxy: URL, status: number): MarError {
  const { host } = request.url;
  // It was willing, and did not get there either.
  const isFailure = status >= 500;
  const problem = isFailure ? `could not connect to ${host}` : 'refused the connection';
  const error = new MarError('network', `the proxy ${proxy.host} ${problem} (${status})`, {
    hint: isFailure
      ? 'check the base URL (mar whoami), or try again later'
      : proxyHint(status, host),
    ...facts(request),
    isUnsent: true,
  });
  if (isFailure) transientErrors.add(error);
  return error;
}

const proxyHint = (status: number, host: string) =>
  status === 407
    ? 'check the user and password in HTTPS_PROXY or HTTP_PROXY'
    : `ask for access to ${host} there, or name it in NO_PROXY`;

/** The service began to answer and stopped half way. */
export function truncatedError(request: HttpRequest, cause: unknown): MarError {
  // What does not follow the rules of HTTP will not follow them the next time either.
  if (isParsing(systemCode(cause))) return notHttpError(request, cause);
  const error = new MarError('service', `${request.url.host} cut its answer off`, {
    hint: afterwards(request) ?? 'try again',
    ...facts(request),
    cause,
  });
  transientErrors.add(error);
  return error;
}

/** A response may belong to another request on the same connection. */
export function outOfStepError(request: HttpRequest): MarError {
  const { host } = request.url;
  const message = `${host} sent more responses than requests, so its response to this request is not certain`;
  const error = new MarError('service', message, {
    hint: isRead(request.method) ? 'try again' : outcomeUnknownHint(request),
    ...facts(request),
  });
  transientErrors.add(error);
  return error;
}

/** The service answered something that cannot be used. */
export function unreadableError(
  request: HttpRequest,
  why: string,
  cause?: unknown,
  hint?: string,
): MarError {
  const { host } = request.url;
  return new MarError('service', `${host} sent an answer that cannot be used: ${why}`, {
    hint: afterwards(request) ?? hint,
    ...facts(request),
    cause,
  });
}

/** Nobody is told to try again what may have been done. */
function hintFor(request: HttpRequest, isSent: boolean, { hint }: Explanation): string {
  const isSafe = isRead(request.method) || !isSent;
  const parts = [outcome(request, isSent), hint ?? (isSafe ? 'try again' : undefined)];
  return parts.filter(Boolean).join('\n');
}

const isParsing = (code: string | undefined) => code?.startsWith('HPE_') === true;

function notHttpError(request: HttpRequest, cause: unknown): MarError {
  const isLarge = systemCode(cause) === 'HPE_HEADER_OVERFLOW';
  const why = isLarge ? 'its headers are too large' : 'it is not HTTP';
  const hint = isLarge ? undefined : 'check host and port of the base URL (mar whoami)';
  return unreadableError(request, why, cause, hint);
}

/** What is known about a write that failed on its way. */
function outcome(request: HttpRequest, isSent: boolean): string | undefined {
  if (isRead(request.method)) return undefined;
  return isSent ? outcomeUnknownHint(request) : 'nothing was sent';
}

const facts = ({ method, url }: HttpRequest) => ({ method, url: url.href });

const afterwards = (request: HttpRequest) =>
  isRead(request.method) ? undefined : probablyDoneHint(request);

function explain(
  at: URL,
  code: string | undefined,
  failure: Failure,
  proxy: URL | undefined,
): Explanation {
  const place = proxy ? `the proxy ${at.host}` : at.host;
  const settings = proxy ? 'check HTTPS_PROXY and HTTP_PROXY' : 'check the base URL (mar whoami)';
  switch (code) {
    case 'ETIMEDOUT': {
      const { timeoutMs } = failure;
      if (timeoutMs === undefined) {
        const reason = `${place} did not answer in time`;
        return { reason, hint: `${settings} and your network`, isPassing: true };
      }
      return {
        reason: `${place} did not answer within ${formatDuration(timeoutMs)}`,
        hint: `give it more with --timeout ${formatDuration(Math.max(minute * 2, timeoutMs * 2))}`,
      };
    }
    case 'ECONNREFUSED':
      return {
        reason: `nothing is listening at ${place}`,
        hint: `${settings}, or whether the ${proxy ? 'proxy' : 'service'} is up`,
        isPassing: true,
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        reason: `the name ${at.hostname} cannot be found`,
        hint: `${settings} and your network`,
        isPassing: true,
      };
    case 'HPE_INVALID_CONSTANT':
      return { reason: `${place} does not speak HTTP`, hint: settings };
    case 'ECONNRESET':
    case 'EPIPE':
      return {
        reason: `${place} closed the connection without an answer`,
        isPassing: true,
      };
    default:
      return (
        explainTls(place, code, failure, proxy !== undefined) ?? {
          reason: `cannot talk to ${place}: ${failure.message || code || 'unknown failure'}`,
          hint: `${settings} and your network`,
          isPassing: true,
        }
      );
  }
}

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
