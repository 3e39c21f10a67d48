import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SchemaName } from '../api/endpoints.ts';
import { schemaMismatches } from '../api/schemaMismatch.ts';
import { schemas } from '../api/schemas.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { isObject, type Json, type JsonObject, toPlain } from '../json/value.ts';
import { badRequest, HttpError, linkHost, notFound, replaceLinkHost } from './responses.ts';

export const basePath = '/api';

export const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/** A request target in its parts. The authority is the one of an absolute URL, or else the Host header. */
export function splitTarget(url: string, host: string | undefined) {
  const [, authority = host, local = url] = absoluteForm.exec(url) ?? [];
  const [path = '', query = ''] = local.split(/\?(.*)/s, 2);
  return { authority, local, path, query };
}

/**
 * The decoded path segments below the base path, and the query, not decoded yet. Checks the host
 * because a website can make a browser send requests here under a host name that resolves to
 * 127.0.0.1 (DNS rebinding).
 */
export function readTarget(url: string, host: string | undefined) {
  const { authority, path, query } = splitTarget(url, host);
  if (authority === undefined) throw badRequest('the Host header is missing', 'Host');
  if (!loopback.test(authority)) {
    const message = 'the sandbox accepts only the hosts 127.0.0.1, localhost and [::1]';
    throw new HttpError(403, 'forbidden-host', message, 'Host');
  }
  if (!path.startsWith(`${basePath}/`)) throw unknownPath();
  const segments = path.slice(basePath.length + 1).split('/');
  return { segments: segments.map((segment) => decode(segment, 'the path')), query };
}

export const unknownPath = () => notFound(`path not found; all paths start with ${basePath}/`);

/** Reads the known parameters. Unknown and empty ones are ignored. */
export function readQuery(query: string, known: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [name, value] = pair.split(/=(.*)/s, 2).map((part) => part.replaceAll('+', ' '));
    const key = decode(name ?? '', 'the query');
    if (!known.includes(key)) continue;
    if (values.has(key)) throw badRequest(`duplicate parameter ${key}`, key);
    const decoded = decode(value ?? '', 'the query');
    if (hasControls(decoded)) throw badRequest(`${key} contains a control character`, key);
    values.set(key, decoded);
  }
  return new Map([...values].filter(([, value]) => value !== ''));
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

/** Counted from 0; both ends are included. */
export interface ListRange {
  readonly first: number;
  readonly last: number;
}

const maxPageLength = 1000;

/** Reads an `X-Range` header. A range that is too long is shortened, not rejected. */
export function readRange(header: string | undefined): ListRange {
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

/** The client disconnected before its request was complete, so no response is needed. */
export class ClientDisconnected extends Error {}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A request that is being handled. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** Tells the client to send its body. */
  sendContinue(): void;
  /** The body, once it was read. */
  bytes?: Buffer;
}

/** Reads the record in the body. Without a schema, the endpoint takes none. */
export async function readBody(
  exchange: Exchange,
  schemaName: SchemaName | undefined,
): Promise<JsonObject> {
  if (schemaName === undefined) return new Map();
  const { request } = exchange;
  const body = parseBody(await readJsonBytes(exchange), request.headers.host);
  // Known fields must match the schema; unknown fields may hold anything.
  const [mismatch] = schemaMismatches(schemas[schemaName](), toPlain(body));
  if (mismatch === undefined) return body;
  const { path, problem } = mismatch;
  throw new HttpError(400, 'wrong-type', `${path}: ${problem}`, path);
}

/** The body of a request that must be JSON. It is not parsed yet. */
export async function readJsonBytes(exchange: Exchange): Promise<Buffer> {
  const { request } = exchange;
  checkHeaders(request);
  exchange.sendContinue();
  exchange.bytes = await readBytes(request);
  return exchange.bytes;
}

/** Rejects a body by its headers, before any of it is read. */
function checkHeaders({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(type)) {
    throw unsupported('the body must be application/json in UTF-8', 'Content-Type');
  }
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw unsupported('the body must not be compressed', 'Content-Encoding');
  }
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
}

/** Does not use `for await`: leaving it early destroys the socket before the error is sent. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) {
        request.removeAllListeners('data');
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(new ClientDisconnected()));
    const onClose = () => {
      if (!request.complete) reject(new ClientDisconnected());
    };
    request.on('close', onClose);
    if (request.destroyed) onClose();
  });
}

export function parseBody(bytes: Buffer, host: string | undefined): JsonObject {
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

const tooLarge = () =>
  new HttpError(413, 'too-large', `the body is larger than ${maxBodyBytes / 1024 / 1024} MiB`);

const unsupported = (message: string, field: string) =>
  new HttpError(415, 'unsupported-media-type', message, field);
