import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { schemaMismatches } from '../api/schemaMismatch.ts';
import { MarError, systemCode } from '../errors.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  isProbablyDone,
  isRead,
  requestIdOf,
} from '../http/message.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { splitArray } from '../json/text.ts';
import { describeMisfit } from './request.ts';
import { isPage, shownBody, statusError } from './statusError.ts';

/** Some records of a list and, where the service says so, how many the whole list has. */
export interface Page<Item> {
  records: Item[];
  total?: number;
  /** The records as they came, to tell whether they came before. */
  body: Buffer;
}

/** A page that is there and not read yet: unread it takes a small part of the memory. */
export type UnreadPage<Item> = () => Page<Item>;

/** A request with its answer, and what the answer should look like. */
export interface Exchange {
  endpoint: Endpoint;
  schema: z.ZodMiniType;
  request: HttpRequest;
  answer: HttpAnswer;
}

/** What to do about a field that is not of its documented type. */
export type OnMisfit = (message: string) => void;

export function readOne({ endpoint, request, answer }: Omit<Exchange, 'schema'>): ServiceRecord {
  // What signing out answers is not documented: nothing at all is fine.
  if (endpoint.response === 'signOut' && answer.body.length === 0) {
    checkStatus(request, answer);
    return new ServiceRecord(null, 'null');
  }
  const { value, text } = readJson(request, answer);
  return new ServiceRecord(value, text, tagOf(answer));
}

/** A weak tag guards nothing: If-Match never takes one for the same (RFC 9110, 13.1.1). */
function tagOf({ headers: { etag } }: HttpAnswer): string | undefined {
  return etag?.startsWith('W/') ? undefined : etag;
}

export function readList(
  { endpoint, schema, request, answer }: Exchange,
  onMisfit: OnMisfit,
): Page<ServiceRecord> {
  const page = readElements(request, answer);
  for (const { value } of page.records) check({ endpoint, schema }, value, onMisfit);
  return page;
}

/** A page of a list of anything; `hint` is what to do about an answer that is none. */
export function readElements(
  request: HttpRequest,
  answer: HttpAnswer,
  hint?: string,
): Page<ServiceRecord> {
  const records = elementsOf(readJson(request, answer));
  if (!records) throw unusable(request, answer, 'a list was expected', hint);
  return { records, total: totalOf(answer), body: answer.body };
}

/** `Content-Range: resources 0-9/5000`, or `X-Total-Count: 5000`. */
export function totalOf({ headers }: HttpAnswer): number | undefined {
  const inRange = /\/(\d{1,15})\s*$/.exec(headers['content-range'] ?? '')?.[1];
  const [count = ''] = [headers['x-total-count'] ?? []].flat();
  const total = inRange ?? /^\d{1,15}$/.exec(count.trim())?.[0];
  return total === undefined ? undefined : Number(total);
}

/** The elements of an array, each with its own text; undefined of all else. */
export function elementsOf({ value, text }: ServiceRecord): ServiceRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = splitArray(text);
  return value.map((element: unknown, index) => new ServiceRecord(element, texts[index] ?? ''));
}

/** Holds a record against its schema. */
export function check(
  { endpoint, schema }: Pick<Exchange, 'endpoint' | 'schema'>,
  value: unknown,
  onMisfit: OnMisfit,
): void {
  const [first] = schemaMismatches(schema, value);
  if (first) onMisfit(`unexpected ${endpoint.resource} from the service: ${describeMisfit(first)}`);
}

export function checkStatus(request: HttpRequest, answer: HttpAnswer, loginHint?: string): void {
  const { status } = answer;
  if (status < 200 || status >= 300) throw statusError(request, answer, loginHint);
}

export function readJson(request: HttpRequest, answer: HttpAnswer): ServiceRecord {
  checkStatus(request, answer);
  const json = decodeJson(answer.body);
  if ('whyNot' in json) throw unusable(request, answer, json.whyNot);
  return json;
}

/** Made when it is first needed: making one takes longer than using it. */
let decoder: InstanceType<typeof TextDecoder> | undefined;

/** A body as JSON, or why it is none. */
export function decodeJson(body: Buffer): ServiceRecord | { whyNot: string } {
  let text: string;
  try {
    // Takes a byte-order mark away, and takes nothing that is not UTF-8.
    decoder ??= new TextDecoder('utf-8', { fatal: true });
    text = decoder.decode(body);
  } catch (error) {
    const isLong = systemCode(error) === 'ERR_STRING_TOO_LONG';
    return { whyNot: isLong ? 'it is larger than Node can read' : 'it is not UTF-8 text' };
  }
  if (text.trim() === '') return { whyNot: 'it is empty' };
  try {
    return new ServiceRecord(JSON.parse(text), text);
  } catch {
    return { whyNot: isPage(text) ? 'it is a web page, not JSON' : 'it is not JSON' };
  }
}

export function unusable(
  request: HttpRequest,
  answer: HttpAnswer,
  why: string,
  hint = usualHint(request),
): MarError {
  return new MarError('service', `${request.url.host} sent an answer that cannot be used: ${why}`, {
    hint,
    status: answer.status,
    method: request.method,
    url: request.url.href,
    requestId: requestIdOf(answer.headers),
    body: shownBody(answer),
  });
}

const usualHint = (request: HttpRequest) =>
  isRead(request.method)
    ? 'check that the base URL is the one of the service and ends in /api (mar whoami)'
    : isProbablyDone(request);

/** Whether a record says that it is another one than was requested. One without an id may be it. */
export function isOtherRecord(record: unknown, id: string): boolean {
  const own = idOf(record);
  return own !== undefined && own !== id;
}

/**
 * Checks that a record that was read by its id is that record. A mismatch is a warning; for a write
 * it is an error, because the write would go to the record that came back.
 */
export function checkRequested(
  { resource }: Endpoint,
  id: string,
  record: unknown,
  { forWrite, onMisfit }: { forWrite?: boolean; onMisfit(message: string): void },
): void {
  const own = idOf(record);
  if (own === id) return;
  const found = own === undefined ? 'without an _id' : JSON.stringify(own);
  const problem = `the service returned the ${resource} ${found} for ${id}`;
  if (forWrite) {
    throw new MarError('service', `${problem}; nothing was written`, {
      hint: 'try again; if it happens again, report it to the operators of the service',
    });
  }
  if (own !== undefined) onMisfit(problem);
}

function idOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('_id' in record)) return undefined;
  return typeof record._id === 'string' ? record._id : undefined;
}
