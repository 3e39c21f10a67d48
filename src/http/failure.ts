import { MarError, systemCode } from '../errors.ts';
import { formatDuration } from './duration.ts';
import type { Explanation, Failure } from './explanation.ts';
import { type HttpRequest, isRead } from './message.ts';
import { explainTls, isTlsCode } from './tlsFailure.ts';

/** Failures that may be gone the next time: worth another attempt, where attempts are allowed. */
const passing = new WeakSet<object>();
export const isPassing = (error: unknown) =>
  typeof error === 'object' && error !== null && passing.has(error);

/** The service was not reached, or did not answer in time. */
export function networkError(
  request: HttpRequest,
  failure: Failure,
  isSent: boolean,
  proxy?: URL,
): MarError {
  const code = systemCode(failure);
  const isParsing = code?.startsWith('HPE_') === true;
  if (isParsing && (isSent || !proxy)) return unreadableError(request, 'it is not HTTP', failure);
  const isProxys = proxy !== undefined && !isSent && !isTlsCode(code);
  const explanation = explain(isProxys ? proxy : request.url, code, failure, proxy);
  const error = new MarError('network', explanation.reason, {
    hint: hintFor(request, isSent, explanation),
    ...facts(request),
    cause: failure,
    isUnsent: !isSent,
  });
  if (explanation.isPassing) passing.add(error);
  return error;
}

/** The proxy answered in place of the service. */
export function proxyError(request: HttpRequest, proxy: URL, status: number): MarError {
  return new MarError('network', `the proxy ${proxy.host} refused the connection (${status})`, {
    hint:
      status === 407
        ? 'check the user and password in HTTPS_PROXY or HTTP_PROXY'
        : `ask for access to ${request.url.host} there, or name it in NO_PROXY`,
    ...facts(request),
    isUnsent: true,
  });
}

/** The service began to answer and stopped half way. */
export function truncatedError(request: HttpRequest, cause: unknown): MarError {
  // What does not follow the rules of HTTP will not follow them the next time either.
  if (systemCode(cause)?.startsWith('HPE_'))
    return unreadableError(request, 'it is not HTTP', cause);
  const error = new MarError('service', `${request.url.host} cut its answer off`, {
    hint: afterwards(request) ?? 'try again',
    ...facts(request),
    cause,
  });
  passing.add(error);
  return error;
}

/** The service answered something that cannot be used. */
export function unreadableError(request: HttpRequest, why: string, cause?: unknown): MarError {
  const { host } = request.url;
  return new MarError('service', `${host} sent an answer that cannot be used: ${why}`, {
    hint: afterwards(request),
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

/** What is known about a write that failed on its way. */
function outcome({ method }: HttpRequest, isSent: boolean): string | undefined {
  if (isRead(method)) return undefined;
  if (!isSent) return 'nothing was sent';
  return `whether the ${method} was carried out is unknown: look before you send it again`;
}

const facts = ({ method, url }: HttpRequest) => ({ method, url: url.href });

/** A write that was answered was carried out, as far as anybody can tell. */
const afterwards = ({ method }: HttpRequest) =>
  isRead(method)
    ? undefined
    : `the ${method} was probably carried out: look before you send it again`;

function explain(
  at: URL,
  code: string | undefined,
  failure: Failure,
  proxy: URL | undefined,
): Explanation {
  const place = at === proxy ? `the proxy ${at.host}` : at.host;
  const settings =
    at === proxy ? 'check HTTPS_PROXY and HTTP_PROXY' : 'check the base URL (mar whoami)';
  switch (code) {
    case 'ETIMEDOUT': {
      const { timeoutMs } = failure;
      const within = timeoutMs === undefined ? ' in time' : ` within ${formatDuration(timeoutMs)}`;
      return { reason: `${place} did not answer${within}`, hint: 'give it more with --timeout 2m' };
    }
    case 'ECONNREFUSED':
      return {
        reason: `nothing is listening at ${place}`,
        hint: `${settings}, or whether the service is up`,
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
        explainTls(at, code, failure) ?? {
          reason: `cannot talk to ${place}: ${failure.message || code || 'unknown failure'}`,
          hint: `${settings} and your network`,
          isPassing: true,
        }
      );
  }
}
