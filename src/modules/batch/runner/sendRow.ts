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
import type { Hints } from '../../../core/errors.ts';
import type { HttpResponse } from '../../../core/http/message.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import type { RecordChange } from '../../../core/records/recordChange.ts';
import { outcomeOfFailure, type RowOutcome } from './outcomes.ts';

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
