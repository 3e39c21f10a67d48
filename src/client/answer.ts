import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { type Misfit, misfits } from '../api/misfit.ts';
import { MarError } from '../errors.ts';
import type { HttpAnswer, HttpRequest } from '../http/message.ts';
import { splitArray } from '../json/text.ts';
import { requestId, statusError } from './failure.ts';
import { describeMisfit } from './request.ts';

/** A record as the service sent it, and the same as ordinary values, for reading only. */
export interface Answered<Value> {
  value: Value;
  text: string;
}

/** A request with its answer, and what the answer should look like. */
export interface Exchange {
  endpoint: Endpoint;
  schema: z.ZodMiniType;
  request: HttpRequest;
  answer: HttpAnswer;
}

/** What to do about a field that is not of its documented type. */
export type OnMisfit = (message: string) => void;

export function readOne(
  { endpoint, schema, request, answer }: Exchange,
  onMisfit: OnMisfit,
): Answered<unknown> {
  const { value, text } = readJson(request, answer);
  report(endpoint, misfits(schema, value), onMisfit);
  return { value, text };
}

export function readList(
  { endpoint, schema, request, answer }: Exchange,
  onMisfit: OnMisfit,
): Answered<unknown>[] {
  const { value, text } = readJson(request, answer);
  if (!Array.isArray(value)) throw unusable(request, answer, 'a list was expected');
  const texts = splitArray(text);
  return value.map((record: unknown, index) => {
    report(endpoint, misfits(schema, record), onMisfit);
    return { value: record, text: texts[index] ?? '' };
  });
}

function report(endpoint: Endpoint, found: Misfit[], onMisfit: OnMisfit): void {
  const [first] = found;
  if (first) onMisfit(`unexpected ${endpoint.resource} from the service: ${describeMisfit(first)}`);
}

function readJson(request: HttpRequest, answer: HttpAnswer): Answered<unknown> {
  if (answer.status < 200 || answer.status >= 300) throw statusError(request, answer);
  let text: string;
  try {
    // Takes a byte-order mark away, and takes nothing that is not UTF-8.
    text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
  } catch {
    throw unusable(request, answer, 'it is not UTF-8 text');
  }
  try {
    return { value: JSON.parse(text), text };
  } catch {
    const page = /^\s*<(!doctype|html)/i.test(text);
    throw unusable(request, answer, page ? 'it is a web page, not JSON' : 'it is not JSON');
  }
}

function unusable(request: HttpRequest, answer: HttpAnswer, why: string): MarError {
  return new MarError('service', `${request.url.host} sent an answer that cannot be used: ${why}`, {
    hint: 'check that the base URL is the one of the service and ends in /api (mar whoami)',
    status: answer.status,
    method: request.method,
    url: request.url.href,
    requestId: requestId(answer.headers),
    body: answer.body.toString('utf8', 0, 500) || undefined,
  });
}
