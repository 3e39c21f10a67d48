import type * as z from 'zod/mini';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { Client } from '../../../client/client.ts';
import { buildRequest } from '../../../client/request.ts';
import { checkRecord, checkStatus, readOne, unusableRecord } from '../../../client/response.ts';
import { MarError, messageOf } from '../../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../../http/message.ts';
import { retryAfter } from '../../../http/transport.ts';
import type { ServiceRecord } from '../../../json/serviceRecord.ts';
import type { RowRequest } from '../input/rows.ts';
import type { RecordIds } from '../journal/format.ts';

/** A journal's line must have space for the id. */
const maxIdLength = 1_000_000;

export type RowOutcome =
  | { kind: 'done'; record: ServiceRecord }
  /** The record already had the values of the row. */
  | { kind: 'unchanged'; id: string }
  /** `unknown` rows may have been carried out, `unsent` ones never reached the service. */
  | { kind: 'failed' | 'unknown' | 'unsent' | 'locked-out'; error: MarError }
  /** Found before anything was sent, or by the service that compared the tag of the record. */
  | { kind: 'conflict' | 'invalid'; error: MarError }
  | { kind: 'throttled'; error: MarError; waitMs?: number };

export interface SendOptions {
  client: Client;
  baseUrl: URL;
  endpoint: Endpoint;
  responseSchema: z.ZodMiniType;
  /** Called for each response. Validation takes as long as the rest of a row, so few get it. */
  mustValidate(): boolean;
  onMismatch(message: string): void;
  loginHint?: string;
  /** For creates. The id of another row means that the response may belong to that row. */
  createdIds?: RecordIds;
}

/** Sends a row once. Never throws: an error is an outcome too. */
export type SendRow = () => Promise<RowOutcome>;

export function buildRow(options: SendOptions, row: RowRequest): SendRow {
  const request = buildRequest(options.endpoint, options.baseUrl, row);
  return () => sendRow(options, request, row.id);
}

async function sendRow(
  options: SendOptions,
  request: HttpRequest,
  id: string | undefined,
): Promise<RowOutcome> {
  const { client, endpoint, loginHint } = options;
  let response: HttpResponse | undefined;
  try {
    // Without a signal, because an interrupted request would lose its outcome.
    response = await client.send(request, null);
    checkStatus(response, loginHint);
    const record = readOne(endpoint, response);
    const problem = idProblem(record.value, id, options.createdIds);
    if (problem !== undefined) {
      // The responses on this connection may be out of step with the requests.
      client.useNewConnections();
      throw unusableRecord(response, problem);
    }
    if (options.mustValidate()) {
      const expected = { endpoint, schema: options.responseSchema };
      checkRecord(expected, record.value, options.onMismatch);
    }
    return { kind: 'done', record };
  } catch (error) {
    return outcomeOfFailure(error, response);
  }
}

/** Without the expected `_id`, a response does not prove that the row is done. */
function idProblem(
  value: unknown,
  expected: string | undefined,
  createdIds: RecordIds | undefined,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'it is not a record';
  const { _id: id } = value as { _id?: unknown };
  if (typeof id !== 'string' || id === '') return 'it has no _id';
  if (id.length > maxIdLength) return `its _id has more than ${maxIdLength} characters`;
  if (expected !== undefined && id !== expected) return 'it has a different _id';
  if (createdIds?.add(id) === false) {
    return `it has the _id of another row, ${id}, so it may be the response to that row`;
  }
  return undefined;
}

function outcomeOfFailure(error: unknown, response: HttpResponse | undefined): RowOutcome {
  if (!(error instanceof MarError)) {
    return { kind: 'unknown', error: new MarError('service', messageOf(error), { cause: error }) };
  }
  // Only a 4xx proves that nothing was written: an unreadable response or a redirect does not.
  if (!response || response.status < 400 || response.status >= 500) {
    return { kind: error.details.outcome === 'not-sent' ? 'unsent' : 'unknown', error };
  }
  if (response.status === 401) return { kind: 'locked-out', error };
  if (response.status === 412) return { kind: 'conflict', error };
  if (response.status !== 429) return { kind: 'failed', error };
  return { kind: 'throttled', error, waitMs: retryAfter(response.headers['retry-after']) };
}
