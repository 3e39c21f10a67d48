import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import type { Client } from '../client/client.ts';
import { buildRequest } from '../client/request.ts';
import { checkRecord, checkStatus, readOne, unusableError } from '../client/response.ts';
import { statusError } from '../client/statusError.ts';
import { MarError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { retryAfter } from '../http/transport.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import type { JsonObject } from '../json/value.ts';

/** Longer ones do not fit into a journal's line. */
const maxIdLength = 1_000_000;

/** What became of a row that was sent. */
export type Outcome =
  | { kind: 'done'; record: ServiceRecord }
  /** The service said no. */
  | { kind: 'failed'; error: MarError }
  /** It may have been carried out, or not. */
  | { kind: 'unknown'; error: MarError }
  /** It never arrived. */
  | { kind: 'unsent'; error: MarError }
  /** Nobody was let in, whatever is in the row. */
  | { kind: 'locked-out'; error: MarError }
  /** The service did not look at it, and asks to wait. */
  | { kind: 'throttled'; error: MarError; waitMs?: number };

export interface Sending {
  client: Client;
  baseUrl: URL;
  endpoint: Endpoint;
  /** Of the answer. */
  schema: z.ZodMiniType;
  /** Whether to hold the next answer against it: that takes as long as all the rest of a row. */
  isChecked(): boolean;
  onMisfit(message: string): void;
  /** Ends what is under way. An interruption does not: the outcome would be lost. */
  signal: AbortSignal;
  loginHint?: string;
}

export interface Parcel {
  /** Where the endpoint's path names a record. */
  id?: string;
  body: JsonObject;
}

/** Sends a row once, and tells what is known of it afterwards. It never throws. */
export async function sendRow(sending: Sending, parcel: Parcel): Promise<Outcome> {
  const { client, baseUrl, endpoint } = sending;
  try {
    const request = buildRequest(endpoint, baseUrl, parcel);
    const answer = await client.send(request, sending.signal);
    return outcomeOf(sending, request, answer, parcel.id);
  } catch (error) {
    return withoutAnswer(error);
  }
}

function outcomeOf(
  sending: Sending,
  request: HttpRequest,
  answer: HttpResponse,
  id?: string,
): Outcome {
  const { status, headers } = answer;
  try {
    if (status >= 200 && status < 300) {
      return { kind: 'done', record: readRecord(sending, request, answer, id) };
    }
    if (status === 401) throw statusError(request, answer, sending.loginHint);
    return checkStatus(request, answer) as never;
  } catch (error) {
    // Only a refusal says that nothing was done: not what cannot be read, nor a way to elsewhere.
    if (!(error instanceof MarError) || status < 400 || status >= 500) return withoutAnswer(error);
    if (status === 401) return { kind: 'locked-out', error };
    if (status !== 429) return { kind: 'failed', error };
    return { kind: 'throttled', error, waitMs: retryAfter(headers['retry-after']) };
  }
}

/** The record that came back. Without an `_id` there is none, and nobody knows what was done. */
function readRecord(
  sending: Sending,
  request: HttpRequest,
  answer: HttpResponse,
  id: string | undefined,
): ServiceRecord {
  const record = readOne({ ...sending, request, response: answer });
  const problem = idProblem(record.value, id);
  if (problem !== undefined) throw unusableError(request, answer, problem);
  if (sending.isChecked()) checkRecord(sending, record.value, sending.onMisfit);
  return record;
}

/** Why a response does not tell that a row is done. */
function idProblem(value: unknown, expected: string | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is no record';
  const { _id: id } = value as { _id?: unknown };
  if (typeof id !== 'string' || id === '') return 'it has no _id';
  if (id.length > maxIdLength) return `its _id has more than ${maxIdLength} characters`;
  if (expected !== undefined && id !== expected) return 'its _id is another one than was written';
  return undefined;
}

function withoutAnswer(error: unknown): Outcome {
  if (!(error instanceof MarError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unknown', error: new MarError('service', reason, { cause: error }) };
  }
  return { kind: error.isUnsent ? 'unsent' : 'unknown', error };
}
