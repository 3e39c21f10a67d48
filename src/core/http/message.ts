import type { IncomingHttpHeaders } from 'node:http';
import type { Hint } from '../errors.ts';
import type { Redactor } from './redact.ts';

export interface HttpRequest {
  method: string;
  /** It changes nothing: it is repeated after a failure that may pass, and has no outcome to check. */
  isRead: boolean;
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** How to find out whether a write was carried out. */
  checkHints?: readonly Hint[];
  /** The record that the request is about: `work request`, `wr-2001`. */
  record?: { resource: string; id: string };
  /** The response may hold a new token, under any name. */
  mayIssueToken?: boolean;
  /**
   * Called when the connection is open, before any byte of the request is written, so that nothing
   * slow lies between a last read and the write. Returns what to send instead, or undefined. If it
   * throws, nothing is sent. If the connection is closed meanwhile, it is called again for the next
   * one, but never twice at a time.
   */
  lastRead?(): Promise<Revision | undefined>;
}

/** Another body for a request, and headers to add or replace. */
export interface Revision {
  body: string;
  headers?: Record<string, string>;
}

export interface HttpResponse {
  request: HttpRequest;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  redactor: Redactor;
}

/** The id by which the service's operators find a request in their logs. */
export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const names = ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];
  return names.map((name) => headers[name]).find((value) => typeof value === 'string');
}
