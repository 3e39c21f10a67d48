import type * as z from 'zod/mini';
import { type Endpoint, resourceNoun } from '../api/endpoints.ts';
import { schemaMismatches } from '../api/schemaMismatch.ts';
import { baseUrlHint, type Hints, MarError, systemCode } from '../errors.ts';
import { unusableError } from '../http/failure.ts';
import { type HttpResponse, requestIdOf } from '../http/message.ts';
import { decodeUtf8 } from '../json/parse.ts';
import { parseRecord, ServiceRecord } from '../json/serviceRecord.ts';
import { splitArray } from '../json/text.ts';
import { describeMismatch } from './request.ts';
import { bodyExcerpt, errorMessage, statusError } from './statusError.ts';

export interface Page<Item> {
  records: Item[];
  total?: number;
  /** The raw response, to notice a page that is sent twice. */
  body: Buffer;
}

/** A page that is not parsed yet, which takes far less memory. */
export type UnreadPage<Item> = () => Page<Item>;

/** The subject is the same for every record with this mismatch. */
export type OnMismatch = (message: string, subject: string) => void;

export function checkStatus(response: HttpResponse, loginHint?: Hints): void {
  const { status } = response;
  if (status < 200 || status >= 300) throw statusError(response, loginHint);
}

/** The status must have been checked, here and in the other functions that read a response. */
export function readOne(endpoint: Endpoint, response: HttpResponse): ServiceRecord {
  const isEmpty = response.body.length === 0;
  // The response to signing out is not documented and may be empty.
  if (isEmpty && endpoint.response === 'signOut') return new ServiceRecord(null, 'null');
  // After a write, a record that the response lacks is read.
  if (isEmpty && endpoint.readBy) return new ServiceRecord({}, '{}');
  const { value, text } = readJson(response);
  const { etag } = response.headers;
  // A weak tag is useless: it never matches in If-Match (RFC 9110, 13.1.1).
  return new ServiceRecord(value, text, etag?.startsWith('W/') ? undefined : etag);
}

export function readElements(response: HttpResponse, hint?: string): Page<ServiceRecord> {
  const records = elementsOf(readJson(response));
  if (!records) throw unusableRecord(response, 'expected a list', hint);
  return { records, total: totalOf(response), body: response.body };
}

/** `Content-Range: resources 0-9/5000`, or `X-Total-Count: 5000`. */
export function totalOf({ headers }: HttpResponse): number | undefined {
  const inRange = /\/(\d{1,15})\s*$/.exec(headers['content-range'] ?? '')?.[1];
  const [count = ''] = [headers['x-total-count'] ?? []].flat();
  const total = inRange ?? /^\d{1,15}$/.exec(count.trim())?.[0];
  return total === undefined ? undefined : Number(total);
}

export function elementsOf({ value, text }: ServiceRecord): ServiceRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = splitArray(text);
  return value.map((element: unknown, index) => new ServiceRecord(element, texts[index] ?? ''));
}

export function checkRecord(
  { endpoint, schema }: { endpoint: Endpoint; schema: z.ZodMiniType },
  record: ServiceRecord,
  onMismatch: OnMismatch,
): void {
  if (schema.safeParse(record.value).success) return;
  const [first] = schemaMismatches(schema, parseRecord(record.text));
  if (!first) return;
  const noun = resourceNoun(endpoint.resource);
  const what = `the ${noun} from the service is not as documented`;
  onMismatch(`${what}: ${describeMismatch(first)}`, `${noun} ${first.path}`);
}

export function readJson(response: HttpResponse): ServiceRecord {
  const json = decodeJson(response.body);
  if ('whyNot' in json) throw unusableRecord(response, json.whyNot);
  return json;
}

export function decodeJson(body: Buffer): ServiceRecord | { whyNot: string } {
  let text: string;
  try {
    text = decodeUtf8(body);
  } catch (error) {
    const isLong = systemCode(error) === 'ERR_STRING_TOO_LONG';
    return { whyNot: isLong ? 'it is too large for Node.js' : 'it is not UTF-8 text' };
  }
  try {
    return new ServiceRecord(JSON.parse(text), text);
  } catch {
    if (text.trim() === '') return { whyNot: 'it is empty' };
    return { whyNot: isWebPage(text) ? 'it is a web page, not JSON' : 'it is not JSON' };
  }
}

const isWebPage = (body: string) => /^\s*<(?:!doctype|html)/i.test(body);

export function unusableRecord(
  response: HttpResponse,
  why: string,
  hint: Hints = ['Check that the base URL is the address of the service.', baseUrlHint],
  kind?: 'unconfirmed',
): MarError {
  const { request, status, headers } = response;
  const details = { hint, status, requestId: requestIdOf(headers), body: bodyExcerpt(response) };
  return unusableError(request, why, details, kind);
}

/**
 * A write is done only if the response is its record. Returns the `_id`, which an event may lack, and a
 * record that can be read afterwards.
 */
export function confirmedId({ readBy }: Endpoint, response: HttpResponse, value: unknown): string {
  const { method, record } = response.request;
  const id = recordIdOf(value) ?? '';
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const isError = id === '' && isRecord && ('error' in value || 'errors' in value);
  let problem: string | undefined;
  if (!isRecord) problem = 'it is not a record';
  else if (isError) problem = `it is an error: ${errorMessage(response)}`;
  else if (id === '' && !readBy && (method === 'POST' || record)) problem = 'it has no _id';
  else if (id !== '' && record && id !== record.id) problem = 'it has a different _id';
  if (problem !== undefined) throw unusableRecord(response, problem, [], 'unconfirmed');
  return id;
}

export function isDifferentRecord(record: unknown, id: string): boolean {
  const own = recordIdOf(record);
  return own !== undefined && own !== id;
}

/** A record with another id is a warning, and before a write an error: it would change that one. */
export function checkId(
  { resource }: Endpoint,
  id: string,
  record: unknown,
  { forWrite, onMismatch }: { forWrite?: boolean; onMismatch: OnMismatch },
): void {
  const own = recordIdOf(record);
  if (own === id) return;
  const found = own === undefined ? 'without an _id' : `with the id ${JSON.stringify(own)}`;
  const problem = `you asked for ${resourceNoun(resource)} ${id}, but the service sent one ${found}`;
  if (forWrite) {
    throw new MarError('service', `${problem}: nothing was written`, {
      hint: 'Try again. If it happens again, tell the operators of the service.',
    });
  }
  if (own !== undefined) onMismatch(problem, problem);
}

export function recordIdOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('_id' in record)) return undefined;
  return typeof record._id === 'string' ? record._id : undefined;
}
