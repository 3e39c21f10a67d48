import type { IncomingHttpHeaders } from 'node:http';

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The header by which the service's operators can find a request in their logs. */
export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  for (const name of ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
