import type { IncomingHttpHeaders } from 'node:http';
import type { Redactor } from './redact.ts';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** How somebody finds out whether a write was carried out. */
  look?: string | undefined;
  /** The response may hold a new token, under whatever name. */
  mayIssueToken?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** For whatever of it is printed. */
  redactor: Redactor;
  /** It may hold a new token, under whatever name. */
  mayHoldToken: boolean;
}

/** Whether a method only asks: sending it again does no harm. */
export const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** The header by which the service's operators can find a request in their logs. */
export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** It was sent, and nothing that came back tells what became of it. */
export const outcomeUnknownHint = (request: HttpRequest) =>
  `whether the ${request.method} was carried out is unknown: ${lookFirst(request)}`;

/** It was answered, and so was carried out as far as anybody can tell. */
export const probablyDoneHint = (request: HttpRequest) =>
  `the ${request.method} was probably carried out: ${lookFirst(request)}`;

const lookFirst = ({ look }: HttpRequest) =>
  `look before you send it again${look === undefined ? '' : ` (${look})`}`;
