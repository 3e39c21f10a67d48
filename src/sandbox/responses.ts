import { createHash, randomUUID } from 'node:crypto';

/** A response whose body is JSON text. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const plainResponse = (body: object): JsonResponse => ({
  status: 200,
  headers: {},
  body: JSON.stringify(body),
});

/** One record. Clients guard a later write with its ETag. */
export function recordResponse(text: string): JsonResponse {
  return { status: 200, headers: { ETag: entityTag(text) }, body: text };
}

export function errorResponse({ status, code, message, field, headers }: HttpError): JsonResponse {
  return { status, headers, body: JSON.stringify({ error: { code, message, field } }) };
}

export function responseHeaders({ headers, body }: JsonResponse): Record<string, string> {
  return {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
  };
}

/** A strong tag: records with different text have different tags. */
function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

export function matchesTag(ifMatch: string, text: string): boolean {
  const tag = entityTag(text);
  return ifMatch.split(',').some((given) => given.trim() === '*' || given.trim() === tag);
}

type HttpErrorCode =
  | 'bad-request'
  | 'bad-json'
  | 'wrong-type'
  | 'bad-range'
  | 'unauthorized'
  | 'forbidden-host'
  | 'not-found'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'expectation-failed'
  | 'storage-full'
  | 'headers-too-large'
  | 'internal';

interface HttpErrorDetails {
  /** The field, header or query parameter at fault. */
  field?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Thrown to end a request with an error status. The client sees the message. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: HttpErrorCode,
    message: string,
    details: HttpErrorDetails = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.field = details.field;
    this.headers = details.headers ?? {};
  }
}

export const badRequest = (message: string, field?: string) =>
  new HttpError(400, 'bad-request', message, { field });

export const notFound = (message: string) => new HttpError(404, 'not-found', message);

export const unauthorized = (message: string) =>
  new HttpError(401, 'unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Basic realm="mar sandbox", charset="UTF-8"' },
  });
