import type { Endpoint } from '../../../core/api/endpoints.ts';
import { schemas } from '../../../core/api/schemas.ts';
import type { Client } from '../../../core/client/client.ts';
import { buildRequest, type CallInput } from '../../../core/client/request.ts';
import {
  checkRecord,
  checkStatus,
  confirmedId,
  readOne,
  unusableRecord,
} from '../../../core/client/response.ts';
import { asMarError, type Hints, MarError } from '../../../core/errors.ts';
import type { HttpResponse } from '../../../core/http/message.ts';
import type { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import type { RecordChange } from '../../../core/records/recordChange.ts';
import { firstOf } from '../../../core/values/numbers.ts';
import { truncate } from '../../../core/values/width.ts';

export type RowOutcome =
  | { kind: 'done'; id: string; record: ServiceRecord }
  /** The record already had the values of the row. */
  | { kind: 'unchanged'; id: string }
  /** `unknown` rows may have been carried out, `unsent` ones never reached the service. */
  | { kind: 'failed' | 'unknown' | 'unsent' | 'locked-out' | 'throttled'; error: MarError }
  /** Found before anything was sent, or by the service that compared the tag of the record. */
  | { kind: 'conflict' | 'invalid'; error: MarError };

interface SendOptions {
  client: Client;
  baseUrl: URL;
  endpoint: Endpoint;
  loginHint?: Hints;
  createdIds: Set<string>;
  /** Validating a response takes as long as the rest of a row, so only the first ones are. */
  maxValidated: number;
  onMismatch(message: string): void;
}

export interface RowRequest extends Pick<CallInput, 'id' | 'ifMatch' | 'lastRead'> {
  body: JsonObject;
}

/** A row that is sent at once. */
export interface ReadyRow {
  send: SendRow;
  id?: string;
  /** The values that the row replaces. */
  change?: RecordChange;
}

/** Thrown by a last read, so that nothing is sent: the outcome, or the row as it is to be sent now. */
export class NotSent extends Error {
  readonly instead: RowOutcome | ReadyRow;

  constructor(message: string, instead: RowOutcome | ReadyRow) {
    super(message);
    this.instead = instead;
  }
}

/** Sends a row once. Never throws: an error is an outcome too. Nothing was sent if it returns a row. */
export type SendRow = () => Promise<RowOutcome | ReadyRow>;

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
        const id = confirmedId(endpoint, response, record.value) || (row.id ?? '');
        if (createdIds?.has(id)) {
          const problem = `it has the _id of another row, ${id}, so it may be the response to that row`;
          throw unusableRecord(response, problem, [], 'unconfirmed');
        }
        createdIds?.add(id);
        responses += 1;
        if (responses <= options.maxValidated) checkRecord(expected, record, onMismatch);
        return { kind: 'done', id, record };
      } catch (error) {
        return error instanceof NotSent ? error.instead : outcomeOfFailure(error, response);
      }
    };
  };
}

/** The outcome of a write that failed. */
function outcomeOfFailure(failure: unknown, response: HttpResponse | undefined): RowOutcome {
  const error = asMarError(failure);
  // Only a 4xx proves that nothing was written: an unreadable response or a redirect does not.
  if (!response || response.status < 400 || response.status >= 500) {
    return { kind: error.details.outcome === 'not-sent' ? 'unsent' : 'unknown', error };
  }
  if (response.status === 401) return { kind: 'locked-out', error };
  if (response.status === 412) return { kind: 'conflict', error };
  return { kind: response.status === 429 ? 'throttled' : 'failed', error };
}

const maxFields = 3;
const maxValueWidth = 60;

/** `asset a-1 was changed …: name (theirs "B", yours "C")` */
function inOneLine(error: MarError): MarError {
  const { conflicts = [] } = error.details;
  const shown = (value: unknown) =>
    value === undefined ? 'none' : truncate(JSON.stringify(value), maxValueWidth);
  const fields = conflicts.map(
    ({ path, theirs, yours }) => `${path} (theirs ${shown(theirs)}, yours ${shown(yours)})`,
  );
  const [first = ''] = error.message.split('\n');
  const listed = firstOf(fields, maxFields).join(', ');
  return new MarError('changed', `${first}: ${listed}`, error.details);
}

/** Nothing was sent yet, whatever the error. */
export function outcomeOfRead(failure: unknown): RowOutcome {
  const error = asMarError(failure);
  const { kind, details } = error;
  if (kind === 'changed') return { kind: 'conflict', error: inOneLine(error) };
  if (kind === 'rate-limited') return { kind: 'throttled', error };
  if (kind === 'auth' && details.status !== 403) return { kind: 'locked-out', error };
  const isRefused = kind === 'auth' || ['usage', 'refused', 'not-found'].includes(kind);
  return { kind: isRefused ? 'invalid' : 'unsent', error };
}
