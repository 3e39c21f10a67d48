import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SchemaName } from '../../../core/api/endpoints.ts';
import { schemaMismatches } from '../../../core/api/schemaMismatch.ts';
import { schemas } from '../../../core/api/schemas.ts';
import { JsonSyntaxError, parseJson } from '../../../core/json/parse.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json/value.ts';
import { badRequest, HttpError, linkHost, notFound, replaceLinkHost } from './responses.ts';

export const basePath = '/api';

export const withoutBasePath = (path: string) =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;

export const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/** A request target in its parts. The authority is the one of an absolute URL, or else the Host header. */
export function splitTarget({ url = '', headers: { host = '' } }: IncomingMessage) {
  const [, authority = host, local = url] = absoluteForm.exec(url) ?? [];
  const [path = '', query = ''] = local.split(/\?(.*)/s, 2);
  return { authority, local, path, query };
}

/**
 * The decoded path segments below the base path. Checks the host because a website can make a browser
 * send requests here under a host name that resolves to 127.0.0.1 (DNS rebinding).
 */
export function readSegments({ authority, path }: ReceivedRequest): string[] {
  if (!loopback.test(authority)) {
    const message = 'the sandbox accepts only the hosts 127.0.0.1, localhost and [::1]';
    throw new HttpError(403, 'forbidden-host', message, 'Host');
  }
  if (!path.startsWith(`${basePath}/`)) throw unknownPath();
  const segments = path.slice(basePath.length + 1).split('/');
  return segments.map((segment) => decode(segment, 'the path'));
}

export const unknownPath = () => notFound(`path not found; all paths start with ${basePath}/`);

/** Reads the known parameters. Unknown and empty ones are ignored. */
export function readQuery(query: string, known: readonly string[]): Map<string, string> {
  decode(query, 'the query');
  const values = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) {
    if (!known.includes(key)) continue;
    if (values.has(key)) throw badRequest(`duplicate parameter ${key}`, key);
    if (hasControls(value)) throw badRequest(`${key} contains a control character`, key);
    values.set(key, value);
  }
  return new Map([...values].filter(([, value]) => value !== ''));
}

/** For the control API. */
export function readNumber(query: URLSearchParams, name: string) {
  const text = query.get(name) ?? '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`${name} must be a whole number`, name);
}

/** Clients resolve `.` and `..` in a path, so these cannot be ids. */
export const isId = (id: string): boolean =>
  !['', '.', '..'].includes(id) && id.length <= 256 && id.isWellFormed() && !hasControls(id);

// SQLite cuts text at a NUL when it is read back.
const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);

export function decode(text: string, where: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`${where} contains an invalid percent-encoding`);
  }
}

export type ListRange = ReturnType<typeof readRange>;

const maxPageLength = 1000;

/**
 * Reads an `X-Range` header: counted from 0, with both ends included. A range that is too long is
 * shortened, not rejected.
 */
export function readRange(header: string | undefined) {
  if (header === undefined) return { first: 0, last: 9 };
  const [, from, to] = /^resources=(\d{1,15})-(\d{1,15})$/.exec(header) ?? [];
  if (from === undefined || to === undefined) {
    throw badRange('X-Range must have the form resources=<first>-<last>, such as resources=0-9');
  }
  const first = Number(from);
  const last = Number(to);
  if (last < first) throw badRange(`X-Range ends before it starts: ${first}-${last}`);
  return { first, last: Math.min(last, first + maxPageLength - 1) };
}

const badRange = (message: string) => new HttpError(400, 'bad-range', message, 'X-Range');

const maxBodyBytes = 10 * 1024 * 1024;

/** A request that has arrived as a whole. */
export type ReceivedRequest = NonNullable<Awaited<ReturnType<typeof receive>>>;

/** Undefined if the client disconnects. A body that is too large is read to its end, but not kept. */
export async function receive(request: IncomingMessage) {
  const { method = '', headers } = request;
  const port = request.socket.localPort;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      if (size <= maxBodyBytes) chunks.push(chunk);
      size += chunk.length;
    }
  } catch {
    return undefined;
  }
  // Node leaves out the body of a response to HEAD.
  const known = method === 'HEAD' ? 'GET' : method;
  return { ...splitTarget(request), method: known, headers, body: Buffer.concat(chunks), port };
}

/** Reads the record in the body. Without a schema, the endpoint takes none. */
export function readRecord(request: ReceivedRequest, schemaName?: SchemaName): JsonObject {
  if (schemaName === undefined) return new Map();
  const record = readBody(request, request.headers.host);
  // Known fields must match the schema; unknown fields may hold anything.
  const [mismatch] = schemaMismatches(schemas[schemaName](), record);
  if (mismatch === undefined) return record;
  const { path, problem } = mismatch;
  throw new HttpError(400, 'wrong-type', `${path}: ${problem}`, path);
}

/** An object in JSON. A browser asks before it sends this type to another origin. */
export function readBody({ headers, body }: ReceivedRequest, host?: string): JsonObject {
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(type)) {
    const message = 'the body must be application/json in UTF-8';
    throw new HttpError(415, 'unsupported-media-type', message, 'Content-Type');
  }
  if (body.length > maxBodyBytes) {
    const message = `the body is larger than ${maxBodyBytes / 1024 / 1024} MiB`;
    throw new HttpError(413, 'too-large', message);
  }
  return parseBody(body, host);
}

export function parseBody(bytes: Buffer, host?: string): JsonObject {
  if (!isUtf8(bytes)) throw new HttpError(400, 'bad-json', 'the body is not valid UTF-8');
  let body: Json;
  try {
    body = parseJson(replaceLinkHost(bytes.toString('utf8'), host, linkHost));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new HttpError(400, 'bad-json', `the body is not valid JSON: ${error.message}`);
  }
  if (!isObject(body)) throw new HttpError(400, 'wrong-type', 'the body must be a JSON object');
  return body;
}
