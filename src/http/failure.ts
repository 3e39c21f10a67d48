import { MarError, systemCode } from '../errors.ts';
import { formatDuration } from './duration.ts';
import type { HttpRequest } from './message.ts';

/** Failures of which it is certain that the request never left. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

interface Failure {
  code?: string;
  message?: string;
  timeoutMs?: number;
}

/** The service was not reached, or did not answer in time. */
export function networkError(request: HttpRequest, failure: Failure | Error): MarError {
  const code = systemCode(failure);
  const { reason, hint } = explain(request, code, failure);
  const lost = request.method !== 'GET' && !beforeSending.has(code ?? '');
  return new MarError('network', reason, {
    hint: lost
      ? `whether the ${request.method} was carried out is unknown: look before you send it again`
      : hint,
    method: request.method,
    url: request.url.href,
    cause: failure,
  });
}

/** The service began to answer and stopped half way. */
export function truncatedError(request: HttpRequest, cause: unknown): MarError {
  return new MarError('service', `${request.url.host} cut its answer off`, {
    hint:
      request.method === 'GET'
        ? 'try again'
        : `the ${request.method} was probably carried out: look before you send it again`,
    method: request.method,
    url: request.url.href,
    cause,
  });
}

function explain(request: HttpRequest, code: string | undefined, failure: Failure | Error) {
  const { host, hostname } = request.url;
  switch (code) {
    case 'ETIMEDOUT': {
      const timeoutMs = 'timeoutMs' in failure ? failure.timeoutMs : undefined;
      const within = timeoutMs === undefined ? ' in time' : ` within ${formatDuration(timeoutMs)}`;
      return { reason: `${host} did not answer${within}`, hint: 'give it more with --timeout 2m' };
    }
    case 'ECONNREFUSED':
      return {
        reason: `nothing is listening at ${host}`,
        hint: 'check the base URL (mar whoami), or whether the service is up',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        reason: `the name ${hostname} cannot be found`,
        hint: 'check the base URL (mar whoami) and your network',
      };
    case 'EPROTO':
      return {
        reason: `${host} does not speak TLS`,
        hint: 'should the base URL begin with http:// (only for this machine), or have another port?',
      };
    case 'ECONNRESET':
    case 'EPIPE':
      return { reason: `${host} closed the connection without an answer`, hint: 'try again' };
    default:
      return {
        reason: `cannot talk to ${host}: ${failure.message ?? code ?? 'unknown failure'}`,
        hint: 'check the base URL (mar whoami) and your network',
      };
  }
}
