import { createHash, randomUUID } from 'node:crypto';

export interface JsonResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const okResponse = (body: string, headers: JsonResponse['headers'] = {}): JsonResponse => ({
  status: 200,
  headers,
  body,
});

/** One record. Clients guard a later write with its ETag. */
export const recordResponse = (text: string) => okResponse(text, { ETag: entityTag(text) });

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

/** For the page: nothing from elsewhere, no script or style inside the page, and no HTML made from strings. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export const controlHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** The sandbox's port changes from start to start, so stored records have links with another host. */
export const linkHost = 'media.example';

/** Puts the host that the client uses into the links of a response, or removes it from a request. */
export function replaceLinkHost(json: string, from: string | undefined, to: string | undefined) {
  const hosts = [from, to];
  if (hosts.some((host) => !host || !/^[\w.:[\]-]+$/.test(host))) return json;
  return json.replaceAll(`"//${from}/api/`, `"//${to}/api/`);
}

/** A strong tag: records with different text have different tags. */
export const entityTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url')}"`;

/** Thrown to end a request with an error status. The client sees the message. */
export class HttpError extends Error {
  readonly response: JsonResponse;

  /** `field` is the field, header or query parameter at fault. */
  constructor(
    status: number,
    code: string,
    message: string,
    field?: string,
    headers: JsonResponse['headers'] = {},
  ) {
    super(message);
    this.response = { status, headers, body: JSON.stringify({ error: { code, message, field } }) };
  }
}

export const badRequest = (message: string, field?: string) =>
  new HttpError(400, 'bad-request', message, field);

export const notFound = (message: string) => new HttpError(404, 'not-found', message);

export const methodNotAllowed = (method: string, methods: string) => {
  const allowed = methods.replace(/\bGET\b/, 'GET, HEAD');
  const message = `${method} is not allowed here; allowed: ${allowed}`;
  return new HttpError(405, 'method-not-allowed', message, undefined, { Allow: allowed });
};

export const unauthorized = (message: string) =>
  new HttpError(401, 'unauthorized', message, undefined, {
    'WWW-Authenticate': 'Basic realm="mar sandbox", charset="UTF-8"',
  });
