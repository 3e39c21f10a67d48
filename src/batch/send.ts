import type * as z from 'zod/mini';
import type { Endpoint } from '../api/endpoints.ts';
import { type Answered, check, checkStatus, readJson, readOne } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { statusError } from '../client/failure.ts';
import { buildRequest } from '../client/request.ts';
import { MarError } from '../errors.ts';
import type { HttpAnswer, HttpRequest } from '../http/message.ts';
import { retryAfter } from '../http/retry.ts';
import type { JsonObject } from '../json/value.ts';

/** What became of a row that was sent. */
export type Outcome =
  | { kind: 'done'; record: Answered<unknown> }
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
    return outcomeOf(sending, request, answer);
  } catch (error) {
    return withoutAnswer(error);
  }
}

function outcomeOf(sending: Sending, request: HttpRequest, answer: HttpAnswer): Outcome {
  const { status, headers } = answer;
  try {
    if (status >= 200 && status < 300) {
      return { kind: 'done', record: readRecord(sending, request, answer) };
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

function readRecord(sending: Sending, request: HttpRequest, answer: HttpAnswer): Answered<unknown> {
  if (!sending.isChecked()) return readJson(request, answer);
  const record = readOne({ ...sending, request, answer });
  check(sending, record.value, sending.onMisfit);
  return record;
}

function withoutAnswer(error: unknown): Outcome {
  if (!(error instanceof MarError)) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unknown', error: new MarError('service', reason, { cause: error }) };
  }
  return { kind: error.isUnsent ? 'unsent' : 'unknown', error };
}
