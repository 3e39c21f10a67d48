import type { ServerResponse } from 'node:http';
import { type JsonObject, toPlain } from '../../../core/json/value.ts';
import type { Faults } from '../faults/faults.ts';
import { decode, loopback, type ReceivedRequest, readBody } from '../http/parseRequest.ts';
import { badRequest, controlHeaders, HttpError, notFound } from '../http/responses.ts';
import { listRequests, newsOf, readRequest } from '../log/requestList.ts';
import type { RequestLog } from '../log/requestLog.ts';
import type { RecordStore } from '../store/recordStore.ts';
import { pageFiles } from './pageFiles.ts';
import { changeRecord, findRecords, listRecords, readRecord } from './records.ts';

interface ControlParts {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly store: RecordStore;
  status(): object;
  /** Proves that a request comes from a command, such as `mar sandbox stop`. */
  readonly secret: string;
  /** Writes a valid token of the first user to a file, and returns its path. */
  login(): Promise<string>;
  /** Brings back the records, users and faults of the start, and empties the log. */
  reset(): void;
  stop(): void;
}

export type ControlHandler = ReturnType<typeof makeControlApi>;

interface ControlRequest {
  /** The decoded segments of the path after the name of the route. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readBody(): JsonObject;
  readonly response: ServerResponse;
}

/** Returns the JSON of the response, or nothing after responding itself. */
type Route = (request: ControlRequest) => object | undefined | Promise<object>;

const emptyBody = Buffer.from('{}');

/** The page, and the API below `/_sandbox`. */
export function makeControlApi(parts: ControlParts) {
  const { log, faults, store, status, secret, login, reset, stop } = parts;
  const routes: Record<string, Route> = {
    'GET news': ({ query }) => newsOf(log, faults, query),
    'GET requests': ({ rest: [id] }) =>
      id === undefined ? listRequests(log) : readRequest(log, id),
    'GET records': ({ rest: [kind, id], query }) =>
      kind === undefined || id === undefined
        ? listRecords(store, kind, query)
        : readRecord(store, kind, id),
    'PUT records': ({ rest: [kind = '', id = ''], readBody }) =>
      changeRecord(store, { kind, id }, toPlain(readBody()) as object),
    'GET accounts': () => ({ accounts: store.accounts.list() }),
    'GET faults': () => faults.state(),
    'PUT faults': ({ readBody }) => {
      const { faults: texts } = toPlain(readBody()) as { faults?: unknown };
      const isList = Array.isArray(texts) && texts.every((one) => typeof one === 'string');
      if (!isList) throw badRequest('faults must be an array of strings', 'faults');
      faults.replace(texts, 'faults');
      return faults.state();
    },
    'POST reset': ({ readBody }) => {
      readBody();
      reset();
      return { reset: true };
    },
  };
  const commandRoutes: Record<string, Route> = {
    'GET status': status,
    'GET find': ({ query }) => findRecords(store, query.get('id') ?? ''),
    'GET export': () => store.exported(),
    'POST login': async () => ({ tokenFile: await login() }),
    'POST stop': () => {
      stop();
      return {};
    },
  };
  for (const [name, type, text] of pageFiles) {
    routes[`GET ${name}`] = ({ response }) => sendText(response, type, text);
  }
  /** Throws an `HttpError` for a request that is refused. */
  return async (request: ReceivedRequest, response: ServerResponse): Promise<void> => {
    const { method, headers, path, query, body } = request;
    checkSource(request);
    const [name = '/', ...rest] = path.split('/').slice(2);
    const key = `${method} ${name}`;
    if (commandRoutes[key] && headers.authorization !== `Bearer ${secret}`) {
      throw new HttpError(401, 'unauthorized', 'the secret of the data folder is missing or wrong');
    }
    const route = routes[key] ?? commandRoutes[key];
    if (!route) throw notFound('this path does not exist, or not for this method');
    const result = await route({
      rest: rest.map((segment) => decode(segment, 'the path')),
      query: new URLSearchParams(query),
      readBody: () => readBody({ ...request, body: body.length === 0 ? emptyBody : body }),
      response,
    });
    if (result) sendText(response, 'application/json; charset=utf-8', JSON.stringify(result));
  };
}

/**
 * Keeps other web pages out. A page elsewhere can make a browser send requests here: under its own
 * name, if it lets that name resolve to 127.0.0.1 (DNS rebinding), or with its own Origin. Opening
 * the page from a link is allowed; it cannot be framed.
 */
function checkSource({ headers, port, authority, path }: ReceivedRequest): void {
  if (!loopback.test(authority) || Number(/:(\d+)$/.exec(authority)?.[1] ?? 80) !== port) {
    const message = `the page of the sandbox is only at http://127.0.0.1:${port}/`;
    throw new HttpError(403, 'forbidden-host', message, 'Host');
  }
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  const isDocument = mode === 'navigate' && headers['sec-fetch-dest'] === 'document';
  const isLink = path === '/' && isDocument;
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === undefined || origin === `http://${authority.toLowerCase()}`;
  if (isOwnOrigin && (isOwnSite || isLink)) return;
  const field = isOwnOrigin ? 'Sec-Fetch-Site' : 'Origin';
  const message = 'another web page cannot use the sandbox';
  throw new HttpError(403, 'forbidden-origin', message, field);
}

function sendText(response: ServerResponse, type: string, text: string): undefined {
  const size = Buffer.byteLength(text);
  response
    .writeHead(200, { ...controlHeaders, 'Content-Type': type, 'Content-Length': size })
    .end(text);
}
