import type { IncomingHttpHeaders } from 'node:http';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** How somebody finds out whether a write was carried out. */
  look?: string | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
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
