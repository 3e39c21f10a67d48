import type { Endpoint } from '../../api/endpoints.ts';
import { schemas } from '../../api/schemas.ts';
import type { Client } from '../../client/client.ts';
import { buildRequest } from '../../client/request.ts';
import { checkRecord, checkStatus, readOne, unusableRecord } from '../../client/response.ts';
import { MarError, messageOf } from '../../errors.ts';
import type { HttpResponse } from '../../http/message.ts';
import { retryAfter } from '../../http/retries.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import type { RowRequest } from '../../rows/rows.ts';

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

interface SendOptions {
  client: Client;
  baseUrl: URL;
  endpoint: Endpoint;
  loginHint?: string;
  createdIds: Set<string>;
  /** Validating a response takes as long as the rest of a row, so only the first ones are. */
  maxValidated: number;
  onMismatch(message: string): void;
}

/** Sends a row once. Never throws: an error is an outcome too. */
export type SendRow = () => Promise<RowOutcome>;

export function rowSender(options: SendOptions): (row: RowRequest) => SendRow {
  const { client, baseUrl, endpoint, onMismatch } = options;
  // The id of another row means that the response may belong to that row.
  const createdIds = endpoint.method === 'POST' ? options.createdIds : undefined;
  const expected = { endpoint, schema: schemas[endpoint.response]() };
  let responses = 0;
  return (row) => {
    const request = buildRequest(endpoint, baseUrl, row);
    return async () => {
      let response: HttpResponse | undefined;
      try {
        // Without a signal, because an interrupted request would lose its outcome.
        response = await client.send(request, null);
        checkStatus(response, options.loginHint);
        const record = readOne(endpoint, response);
        const problem = idProblem(record.value, row.id, createdIds);
        if (problem !== undefined) {
          // The responses on this connection may be out of step with the requests.
          client.useNewConnections();
          throw unusableRecord(response, problem);
        }
        responses += 1;
        if (responses <= options.maxValidated) checkRecord(expected, record.value, onMismatch);
        return { kind: 'done', record };
      } catch (error) {
        return outcomeOfFailure(error, response);
      }
    };
  };
}

/** Without the expected `_id`, a response does not prove that the row is done. */
function idProblem(
  value: unknown,
  expected: string | undefined,
  createdIds: Set<string> | undefined,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'it is not a record';
  const { _id: id } = value as { _id?: unknown };
  if (typeof id !== 'string' || id === '') return 'it has no _id';
  if (id.length > maxIdLength) return `its _id has more than ${maxIdLength} characters`;
  if (expected !== undefined && id !== expected) return 'it has a different _id';
  if (createdIds?.has(id)) {
    return `it has the _id of another row, ${id}, so it may be the response to that row`;
  }
  createdIds?.add(id);
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
