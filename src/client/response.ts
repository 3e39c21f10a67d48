import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { misfits } from '../api/misfit.ts';
import { MarError, systemCode } from '../errors.ts';
import { decodeUtf8 } from '../files/utf8.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  isProbablyDone,
  isRead,
  requestIdOf,
} from '../http/message.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { splitArray } from '../json/text.ts';
import type { Json } from '../json/value.ts';
import { describeMisfit } from './request.ts';
import { isPage, shownBody, statusError } from './statusError.ts';

/** A record as the service sent it, and the same as ordinary values, for reading only. */
export interface Answered<Value> {
  value: Value;
  text: string;
  /** By which a later write can say that it means this state of the record. */
  tag?: string;
}

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

export function readOne({
  endpoint,
  request,
  answer,
}: Omit<Exchange, 'schema'>): Answered<unknown> {
  // What signing out answers is not documented: nothing at all is fine.
  if (endpoint.response === 'signOut' && answer.body.length === 0) {
    checkStatus(request, answer);
    return { value: null, text: 'null' };
  }
  const { value, text } = readJson(request, answer);
  return { value, text, tag: tagOf(answer) };
}

/** A weak tag guards nothing: If-Match never takes one for the same (RFC 9110, 13.1.1). */
function tagOf({ headers: { etag } }: HttpAnswer): string | undefined {
  return etag?.startsWith('W/') ? undefined : etag;
}

export function readList(
  { endpoint, schema, request, answer }: Exchange,
  onMisfit: OnMisfit,
): Page<Answered<unknown>> {
  const page = readElements(request, answer);
  for (const { value } of page.records) check({ endpoint, schema }, value, onMisfit);
  return page;
}

/** A page of a list of anything; `hint` is what to do about an answer that is none. */
export function readElements(
  request: HttpRequest,
  answer: HttpAnswer,
  hint?: string,
): Page<Answered<unknown>> {
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
export function elementsOf({ value, text }: Answered<unknown>): Answered<unknown>[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = splitArray(text);
  return value.map((element: unknown, index) => ({ value: element, text: texts[index] ?? '' }));
}

/** Holds a record against its schema. */
export function check(
  { endpoint, schema }: Pick<Exchange, 'endpoint' | 'schema'>,
  value: unknown,
  onMisfit: OnMisfit,
): void {
  const [first] = misfits(schema, value);
  if (first) onMisfit(`unexpected ${endpoint.resource} from the service: ${describeMisfit(first)}`);
}

export function checkStatus(request: HttpRequest, answer: HttpAnswer, loginHint?: string): void {
  const { status } = answer;
  if (status < 200 || status >= 300) throw statusError(request, answer, loginHint);
}

export function readJson(request: HttpRequest, answer: HttpAnswer): Answered<unknown> {
  checkStatus(request, answer);
  const json = decodeJson(answer.body);
  if ('whyNot' in json) throw unusable(request, answer, json.whyNot);
  return json;
}

/** A body as JSON, or why it is none. */
export function decodeJson(body: Buffer): Answered<unknown> | { whyNot: string } {
  let text: string;
  try {
    text = decodeUtf8(body);
  } catch (error) {
    const isLong = systemCode(error) === 'ERR_STRING_TOO_LONG';
    return { whyNot: isLong ? 'it is larger than Node can read' : 'it is not UTF-8 text' };
  }
  if (text.trim() === '') return { whyNot: 'it is empty' };
  try {
    return { value: JSON.parse(text), text };
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

/** A record as the service sent it, with every number as it was written. */
export function parseSent(text: string): Json {
  try {
    return parseJson(text, { lastKeyCounts: true });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `the service sent a record that cannot be worked on: ${error.message}`;
    throw new MarError('service', message);
  }
}

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
