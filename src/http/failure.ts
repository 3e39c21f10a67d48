import type { PeerCertificate } from 'node:tls';
import { MarError, systemCode } from '../errors.ts';
import { formatDuration } from '../values/duration.ts';
import { type HttpRequest, isRead } from './message.ts';

/** The error of Node, or of our own deadline. */
export interface Failure {
  code?: string;
  message?: string;
  timeoutMs?: number;
  cert?: PeerCertificate;
}

interface Explanation {
  reason: string;
  hint?: string;
  isTransient?: boolean;
}

export interface RequestProgress {
  /** Some of it may have left this machine. */
  isSent: boolean;
  /** The proxy, while the request waits for the proxy itself. */
  waitingFor?: URL;
}

const minute = 60_000;

const transientErrors = new WeakSet<object>();

/** Whether an error may be gone on the next try. */
export const isTransient = (error: unknown) =>
  typeof error === 'object' && error !== null && transientErrors.has(error);

/** Hint for a write that was sent and whose response says nothing about its outcome. */
export const outcomeUnknownHint = (request: HttpRequest) =>
  `whether the ${request.method} was carried out is unknown: ${checkFirst(request)}`;

/** Hint for a write that got a response, but not a usable one. */
export const probablyDoneHint = (request: HttpRequest) =>
  `the ${request.method} was probably carried out: ${checkFirst(request)}`;

const checkFirst = ({ checkWith }: HttpRequest) =>
  `look before you send it again${checkWith === undefined ? '' : ` (${checkWith})`}`;

/** Turns each way in which one request can fail into an error with a hint. */
export class RequestErrors {
  readonly #request: HttpRequest;
  readonly #baseUrlName: string;

  constructor(request: HttpRequest, baseUrlName: string) {
    this.#request = request;
    this.#baseUrlName = baseUrlName;
  }

  network(failure: Failure, { isSent, waitingFor }: RequestProgress): MarError {
    const code = systemCode(failure);
    if (isParserCode(code) && !waitingFor) return this.#notHttp(failure);
    const explanation = this.#explain(code, failure, waitingFor);
    const error = new MarError('network', explanation.reason, {
      hint: this.#hint(isSent, explanation),
      ...this.#facts,
      cause: failure,
      isUnsent: !isSent,
    });
    if (explanation.isTransient) transientErrors.add(error);
    return error;
  }

  /** The reason of an abort. An interrupted write may have been carried out all the same. */
  interruption(reason: unknown, { isSent }: RequestProgress): unknown {
    if (!(reason instanceof MarError) || this.#isRead || !isSent) return reason;
    const hint = outcomeUnknownHint(this.#request);
    return new MarError(reason.kind, reason.message, { hint, ...this.#facts, cause: reason });
  }

  proxy(proxy: URL, status: number): MarError {
    const { host } = this.#request.url;
    const isUnreachable = status >= 500;
    const problem = isUnreachable ? `could not connect to ${host}` : 'refused the connection';
    const error = new MarError('network', `the proxy ${proxy.host} ${problem} (${status})`, {
      hint: isUnreachable
        ? `check ${this.#baseUrlName}, or try again later`
        : proxyRefusedHint(status, host),
      ...this.#facts,
      isUnsent: true,
    });
    if (isUnreachable) transientErrors.add(error);
    return error;
  }

  truncated(cause: unknown): MarError {
    // A response that breaks the rules of HTTP will break them on the next try too.
    if (isParserCode(systemCode(cause))) return this.#notHttp(cause);
    const { host } = this.#request.url;
    const error = new MarError('service', `${host} cut its answer off`, {
      hint: this.#isRead ? 'try again' : probablyDoneHint(this.#request),
      ...this.#facts,
      cause,
    });
    transientErrors.add(error);
    return error;
  }

  /** The response may belong to another request on the same connection. */
  outOfStep(): MarError {
    const { host } = this.#request.url;
    const message = `${host} sent more responses than requests, so its response to this request is not certain`;
    const error = new MarError('service', message, {
      hint: this.#isRead ? 'try again' : outcomeUnknownHint(this.#request),
      ...this.#facts,
    });
    transientErrors.add(error);
    return error;
  }

  unusable(why: string, cause?: unknown, hint?: string): MarError {
    const { host } = this.#request.url;
    return new MarError('service', `${host} sent an answer that cannot be used: ${why}`, {
      hint: this.#isRead ? hint : probablyDoneHint(this.#request),
      ...this.#facts,
      cause,
    });
  }

  #notHttp(cause: unknown): MarError {
    if (systemCode(cause) === 'HPE_HEADER_OVERFLOW') {
      return this.unusable('its headers are too large', cause);
    }
    return this.unusable('it is not HTTP', cause, `check host and port of ${this.#baseUrlName}`);
  }

  get #isRead(): boolean {
    return isRead(this.#request.method);
  }

  get #facts() {
    const { method, url } = this.#request;
    return { method, url: url.href };
  }

  /** Never tells the user to repeat a write that may have been carried out. */
  #hint(isSent: boolean, { hint }: Explanation): string {
    const outcome = isSent ? outcomeUnknownHint(this.#request) : 'nothing was sent';
    const parts = [
      this.#isRead ? undefined : outcome,
      hint ?? (this.#isRead || !isSent ? 'try again' : undefined),
    ];
    return parts.filter(Boolean).join('\n');
  }

  #explain(code: string | undefined, failure: Failure, proxy: URL | undefined): Explanation {
    const { host, hostname } = proxy ?? this.#request.url;
    const place = proxy ? `the proxy ${host}` : host;
    const checkAddress = `check ${proxy ? 'HTTPS_PROXY and HTTP_PROXY' : this.#baseUrlName}`;
    switch (code) {
      case 'ETIMEDOUT': {
        const { timeoutMs } = failure;
        if (timeoutMs === undefined) {
          const reason = `${place} did not answer in time`;
          return { reason, hint: `${checkAddress} and your network`, isTransient: true };
        }
        return {
          reason: `${place} did not answer within ${formatDuration(timeoutMs)}`,
          hint: `give it more with --timeout ${formatDuration(Math.max(minute * 2, timeoutMs * 2))}`,
        };
      }
      case 'ECONNREFUSED':
        return {
          reason: `nothing is listening at ${place}`,
          hint: `${checkAddress}, or whether the ${proxy ? 'proxy' : 'service'} is up`,
          isTransient: true,
        };
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return {
          reason: `the name ${hostname} cannot be found`,
          hint: `${checkAddress} and your network`,
          isTransient: true,
        };
      case 'HPE_INVALID_CONSTANT':
        return { reason: `${place} does not speak HTTP`, hint: checkAddress };
      case 'ECONNRESET':
      case 'EPIPE':
        return { reason: `${place} closed the connection without an answer`, isTransient: true };
      default:
        return (
          explainTls(place, code, failure, { isProxy: proxy !== undefined, checkAddress }) ?? {
            reason: `cannot talk to ${place}: ${failure.message || code || 'unknown failure'}`,
            hint: `${checkAddress} and your network`,
            isTransient: true,
          }
        );
    }
  }
}

const isParserCode = (code: string | undefined) => code?.startsWith('HPE_') === true;

const proxyRefusedHint = (status: number, host: string) =>
  status === 407
    ? 'check the user and password in HTTPS_PROXY or HTTP_PROXY'
    : `ask for access to ${host} there, or name it in NO_PROXY`;

const privateCa = 'a private CA? trust its certificate with --ca-cert FILE or NODE_EXTRA_CA_CERTS';
const unknownCa = { problem: 'comes from a CA that is not trusted here', hint: privateCa };
const certificateProblems: Readonly<Record<string, { problem: string; hint: string }>> = {
  CERT_HAS_EXPIRED: { problem: 'has expired', hint: 'tell who runs the service; check your clock' },
  CERT_NOT_YET_VALID: { problem: 'is not valid yet', hint: 'check your clock' },
  CERT_REVOKED: { problem: 'was revoked', hint: 'tell who runs the service' },
  INVALID_PURPOSE: { problem: 'is not one for a server', hint: 'tell who runs the service' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { problem: 'is signed by itself', hint: privateCa },
  SELF_SIGNED_CERT_IN_CHAIN: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    problem: 'comes from a CA that is not trusted here, or one is missing from its chain',
    hint: privateCa,
  },
};

export const isCertificateCode = (code: string | undefined) =>
  code !== undefined && Object.hasOwn(certificateProblems, code);

export function explainTls(
  host: string,
  code: string | undefined,
  failure: Failure,
  { isProxy = false, checkAddress }: { isProxy?: boolean; checkAddress: string },
): Explanation | undefined {
  const known = code === undefined ? undefined : certificateProblems[code];
  if (known) {
    return {
      reason: `the certificate of ${host} ${known.problem}${describeCertificate(failure.cert)}`,
      hint: known.hint,
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      reason: `the certificate of ${host} is for ${alternativeNames(failure.cert)}`,
      hint: `${checkAddress}: is it the right host?`,
    };
  }
  if (code !== 'EPROTO' && !code?.startsWith('ERR_SSL_')) return undefined;
  const alert = tlsAlert(failure);
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

/**
 * The number of the TLS alert from the other side (RFC 8446, 6). OpenSSL counts alerts from 1000 on,
 * in the lower part of the error number at the start of Node's message.
 */
function tlsAlert({ message = '' }: Failure): number | undefined {
  const number = Number.parseInt(/error:0A([\dA-F]{6}):/.exec(message)?.[1] ?? '', 16);
  return number >= 1000 && number < 1256 ? number - 1000 : undefined;
}

function alternativeNames(certificate: PeerCertificate | undefined): string {
  const names = certificate?.subjectaltname?.split(', ').map((entry) => {
    const name = entry.replace(/^(DNS|IP Address):/, '');
    // Node writes an IPv6 address with all its zeros; a URL does not.
    const address = `http://[${name}]`;
    return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : name;
  });
  return names?.join(', ') ?? 'other names';
}

function describeCertificate(certificate: PeerCertificate | undefined): string {
  if (!certificate?.subject) return '';
  const { subject, valid_to } = certificate;
  const { issuer } = lastInChain(certificate);
  return ` (${nameOf(subject)}, issued by ${nameOf(issuer)}, valid to ${valid_to})`;
}

/** The issuer of the last certificate in the chain is the one that has to be trusted. */
function lastInChain(certificate: PeerCertificate & { issuerCertificate?: PeerCertificate }) {
  let last = certificate;
  for (let depth = 0; depth < 10; depth += 1) {
    const above = last.issuerCertificate;
    if (!above?.subject || above === last) break;
    last = above;
  }
  return last;
}

const nameOf = (subject: PeerCertificate['subject']) =>
  [subject?.CN ?? subject?.O ?? 'unknown'].flat().join(', ');
