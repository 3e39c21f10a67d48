import type { PeerCertificate } from 'node:tls';
import {
  baseUrlHint,
  type ErrorDetails,
  type ErrorKind,
  type Hint,
  type Hints,
  hintList,
  MarError,
  onCommandLine,
  systemCode,
} from '../errors.ts';
import { formatDuration } from '../values/duration.ts';
import type { HttpRequest } from './message.ts';
import { proxyVariables } from './route.ts';

/** An error from Node, from our own deadline, or from a proxy that opens no tunnel. */
export interface Failure {
  code?: string;
  message?: string;
  timeoutMs?: number;
  cert?: PeerCertificate;
  proxyStatus?: number;
}

/** How far an exchange came: nothing was written before `sent`. */
export type Phase = 'connecting' | 'reading' | 'sent' | 'responding';

interface Explanation {
  reason: string;
  hint?: Hints;
  isTransient?: boolean;
}

/** True for a failure that may pass. After our own deadline, there is no time left for another try. */
export const isTransient = (error: unknown) =>
  error instanceof MarError &&
  error.details.retryable === true &&
  (error.cause as Failure | undefined)?.timeoutMs === undefined;

/** For a write that was sent and whose response says nothing about its outcome. */
export const outcomeUnknownHints = (request: HttpRequest) =>
  checkFirst(request, `Outcome unknown: the ${request.method} may have been carried out.`);

/** For a write that got a response, but not a usable one. */
const probablyDoneHints = (request: HttpRequest) =>
  checkFirst(request, `The ${request.method} was probably carried out.`);

const checkFirst = ({ checkHints = [] }: HttpRequest, outcome: string): Hint[] => [
  { text: `${outcome} Check before you send it again.` },
  ...checkHints,
];

/** A setting that may be wrong. */
interface Setting {
  name: string;
  hints: readonly Hint[];
}

const baseUrlSetting: Setting = { name: 'the base URL', hints: [baseUrlHint] };
const proxySetting: Setting = { name: proxyVariables, hints: [] };

const tryAgain = 'Try again.';

function requestError(
  { method, url, isRead }: HttpRequest,
  kind: ErrorKind,
  message: string,
  more: ErrorDetails & { isTransient?: boolean; isSent?: boolean },
): MarError {
  const { isTransient, isSent = true, ...details } = more;
  const writeOutcome = isSent ? 'unknown' : 'not-sent';
  const outcome = isRead ? undefined : writeOutcome;
  const retryable = (isTransient && (isRead || !isSent)) || undefined;
  return new MarError(kind, message, { ...details, outcome, retryable, method, url: url.href });
}

/** `hint` is for reads. After a write, the user must first know whether it was carried out. */
export function unusableError(
  request: HttpRequest,
  why: string,
  details: ErrorDetails = {},
  kind: 'service' | 'unconfirmed' = 'service',
) {
  // A service that says something else than the record may have refused the write.
  const afterWrite = kind === 'unconfirmed' ? outcomeUnknownHints : probablyDoneHints;
  const hint = request.isRead ? details.hint : afterWrite(request);
  const message = `${request.url.host} sent an unusable response: ${why}`;
  return requestError(request, kind, message, { ...details, hint });
}

/** One error, with a hint, for each way in which a request can fail to get a whole response. */
export function requestErrors(request: HttpRequest, signal?: AbortSignal) {
  const { url, isRead } = request;

  /**
   * The error for a failure in one phase; `waitingFor` is the proxy, while the request has not come past
   * it. After an abort, every failure counts as the abort.
   */
  function during(phase: Phase, failure: unknown, waitingFor?: URL): unknown {
    const isSent = phase === 'sent' || phase === 'responding';
    if (signal?.aborted) return interruption(signal.reason, isSent);
    const isReading = phase === 'reading';
    if (failure instanceof MarError) {
      return isReading ? failure.with({ outcome: 'not-sent' }) : failure;
    }
    const { timeoutMs } = failure as Failure;
    if (timeoutMs === undefined && isReading) return failure;
    if (timeoutMs === undefined && phase === 'responding') return truncated(failure);
    return network(failure as Failure, isSent, waitingFor);
  }

  function network(failure: Failure, isSent: boolean, waitingFor: URL | undefined): MarError {
    const { proxyStatus } = failure;
    if (waitingFor && proxyStatus !== undefined) return proxy(waitingFor, proxyStatus);
    if (isParserError(failure) && !waitingFor) return notHttp(failure);
    const { reason, ...explanation } = explain(failure, waitingFor);
    const hint = networkHint(isSent, explanation.hint);
    const details = { ...explanation, hint, cause: failure, isSent };
    return requestError(request, 'network', reason, details);
  }

  /** Never tells the user to repeat a write that may have been carried out. */
  function networkHint(isSent: boolean, hint: Hints | undefined): Hints {
    if (isRead) return hint ?? tryAgain;
    if (!isSent) return ['Nothing was sent.', ...hintList(hint ?? tryAgain)];
    return [...outcomeUnknownHints(request), ...hintList(hint ?? [])];
  }

  /** The error for an abort. An interrupted write may still have been carried out. */
  function interruption(reason: unknown, isSent: boolean): unknown {
    if (!(reason instanceof MarError) || isRead || !isSent) return reason;
    const hint = outcomeUnknownHints(request);
    return requestError(request, reason.kind, reason.message, { hint, cause: reason });
  }

  function proxy({ host }: URL, status: number): MarError {
    const isTransient = status >= 500;
    const problem = isTransient ? `could not connect to ${url.host}` : 'refused the connection';
    const refusedHint =
      status === 407
        ? `Check the user name and password in ${proxyVariables}.`
        : `Ask the operators of the proxy for access to ${url.host}, or add that host to NO_PROXY.`;
    const hint = isTransient
      ? ['Check the base URL, or try again later.', baseUrlHint]
      : refusedHint;
    const message = `the proxy ${host} ${problem} (${status})`;
    return requestError(request, 'network', message, { hint, isSent: false, isTransient });
  }

  function truncated(cause: unknown): MarError {
    // A response that breaks the rules of HTTP will break them on the next try too.
    if (isParserError(cause)) return notHttp(cause);
    const hint = isRead ? tryAgain : probablyDoneHints(request);
    const message = `the response from ${url.host} was cut off`;
    return requestError(request, 'service', message, { hint, cause, isTransient: true });
  }

  function notHttp(cause: unknown): MarError {
    if (systemCode(cause) === 'HPE_HEADER_OVERFLOW') {
      return unusableError(request, 'its headers are too large', { cause });
    }
    const hint = ['Check the host and port of the base URL.', baseUrlHint];
    return unusableError(request, 'it is not HTTP', { hint, cause });
  }

  function explain(failure: Failure, proxy: URL | undefined): Explanation {
    const { host, hostname } = proxy ?? url;
    const place = proxy ? `the proxy ${host}` : host;
    const setting = proxy ? proxySetting : baseUrlSetting;
    const { message, timeoutMs } = failure;
    const code = systemCode(failure) ?? '';
    if (timeoutMs !== undefined) {
      const longer = formatDuration(Math.max(120_000, timeoutMs * 2));
      return {
        reason: `${place} did not respond within ${formatDuration(timeoutMs)}`,
        hint: onCommandLine(`To wait longer, use --timeout ${longer}`),
        isTransient: true,
      };
    }
    const hint = [`Check ${setting.name} and your network.`, ...setting.hints];
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return { reason: `host ${hostname} not found`, hint, isTransient: true };
    }
    if (code === 'ECONNREFUSED') {
      const server = proxy ? 'proxy' : 'service';
      const running = `Check ${setting.name}, and that the ${server} is running.`;
      return {
        reason: `${place} refused the connection`,
        hint: [running, ...setting.hints],
        isTransient: true,
      };
    }
    if (code === 'ECONNRESET' || code === 'EPIPE') {
      return { reason: `${place} closed the connection without a response`, isTransient: true };
    }
    const reason = `cannot reach ${place}: ${message || code || 'unknown failure'}`;
    return explainTls(place, failure, setting) ?? { reason, hint, isTransient: true };
  }

  return { during, proxy };
}

const isParserError = (error: unknown) => systemCode(error)?.startsWith('HPE_') === true;

const privateCa = onCommandLine(
  'If the service uses a private CA, trust its certificate with --ca-cert FILE or NODE_EXTRA_CA_CERTS.',
);
const tellOperators = 'Tell the operators of the service.';
const unknownCa = { problem: 'was issued by a CA that is not trusted', hint: privateCa };
const certificateProblems: Readonly<Record<string, { problem: string; hint: Hints }>> = {
  CERT_HAS_EXPIRED: { problem: 'has expired', hint: `${tellOperators} Check your clock, too.` },
  CERT_NOT_YET_VALID: { problem: 'is not valid yet', hint: 'Check your clock.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { problem: 'is self-signed', hint: privateCa },
  SELF_SIGNED_CERT_IN_CHAIN: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT: unknownCa,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownCa,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    problem: `${unknownCa.problem}, or its chain is incomplete`,
    hint: privateCa,
  },
};

/** For a request that was not sent because no CA that is known so far vouches for the server. */
export const isUnknownIssuer = (error: unknown) =>
  error instanceof MarError &&
  error.details.outcome !== 'unknown' &&
  certificateProblems[systemCode(error.cause) ?? '']?.hint === privateCa;

function explainTls(host: string, failure: Failure, setting: Setting): Explanation | undefined {
  const { message, cert } = failure;
  const code = systemCode(failure) ?? '';
  const known = certificateProblems[code];
  if (known) {
    const { problem, hint } = known;
    return { reason: `the certificate of ${host} ${problem}${describeCertificate(cert)}`, hint };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      reason: `the certificate of ${host} is for ${alternativeNames(cert)}`,
      hint: [`Check that the host in ${setting.name} is right.`, ...setting.hints],
    };
  }
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined;
  const alert = tlsAlert(message);
  if (alert !== undefined) {
    return {
      reason: `${host} refused the TLS handshake (alert ${alert})`,
      hint: onCommandLine(
        'It requires another TLS version, or a client certificate: --client-cert FILE --client-key FILE',
      ),
    };
  }
  return {
    reason: `${host} does not speak TLS`,
    hint:
      setting === proxySetting
        ? `If the proxy uses plain http, its address in ${proxyVariables} must start with http://`
        : 'Check the port of the base URL. If the service runs on this machine without TLS, use http://',
  };
}

/** OpenSSL counts alerts (RFC 8446, 6) from 1000 on, in the error number that starts the message. */
function tlsAlert(message = ''): number | undefined {
  const number = Number.parseInt(/error:0A([\dA-F]{6}):/.exec(message)?.[1] ?? '', 16);
  return number >= 1000 && number < 1256 ? number - 1000 : undefined;
}

function alternativeNames(certificate: PeerCertificate | undefined): string {
  const names = certificate?.subjectaltname?.split(', ');
  return names?.map((name) => name.replace(/^.*?:/, '')).join(', ') ?? 'other names';
}

function describeCertificate(certificate: PeerCertificate | undefined): string {
  if (!certificate?.subject) return '';
  const { subject, issuer, valid_to } = certificate;
  return ` (${subjectName(subject)}, issued by ${subjectName(issuer)}, valid to ${valid_to})`;
}

const subjectName = (subject: PeerCertificate['subject']) =>
  [subject?.CN ?? subject?.O ?? 'unknown'].flat().join(', ');
