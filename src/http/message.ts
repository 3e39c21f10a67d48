import type { IncomingHttpHeaders } from 'node:http';
import type { Redactor } from './redact.ts';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** Tells the user how to find out whether a write was carried out. */
  checkWith?: string | undefined;
  /** The response may hold a new token, under any name. */
  mayIssueToken?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  redactor: Redactor;
  mayHoldToken: boolean;
}

/** Whether a request with this method can be repeated without harm. */
export const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** The header by which the service's operators can find a request in their logs. */
export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
