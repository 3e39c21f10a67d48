import type { IncomingMessage, ServerResponse } from 'node:http';
import { MarError } from '../errors.ts';
import { type JsonObject, toPlain } from '../json/value.ts';
import type { Accounts } from './accounts.ts';
import { controlPath } from './control.ts';
import { EventStreams } from './eventStreams.ts';
import { type Faults, readFaultSettings } from './faults.ts';
import { pageFiles } from './pageFiles.ts';
import {
  decode,
  type Exchange,
  loopback,
  parseBody,
  readJsonBytes,
  splitTarget,
} from './parseRequest.ts';
import { listAccounts, listRecords, readRecord } from './recordBrowser.ts';
import type { RecordStore } from './recordStore.ts';
import { listRequests, readRequest } from './requestList.ts';
import type { RequestLog } from './requestLog.ts';
import { badRequest, controlHeaders, HttpError, notFound } from './responses.ts';

interface ControlParts {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly store: RecordStore;
  readonly accounts: Accounts;
  /** Brings back the records, users and faults of the start, and empties the log. */
  reset(): Promise<void>;
  /** Handles the requests of `mar sandbox stop` and other commands. */
  command(request: IncomingMessage): Promise<unknown>;
}

/** Throws an `HttpError` for a request that is refused. */
export type ControlHandler = (exchange: Exchange, response: ServerResponse) => Promise<void>;

interface ControlRequest {
  /** The decoded segments of the path after the name of the route. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** `http://127.0.0.1:PORT`, with the host that the client uses. */
  readonly origin: string;
  readBody(): Promise<JsonObject>;
}

type Route = (request: ControlRequest) => object | Promise<object>;

/** The page, and the API below `/_sandbox`. */
export function makeControlApi(parts: ControlParts): {
  handle: ControlHandler;
  streams: EventStreams;
} {
  const { log, faults, store, accounts, reset } = parts;
  const streams = new EventStreams(log);
  const routes: Readonly<Record<string, Route>> = {
    'GET requests': ({ rest: [id], query, origin }) =>
      id === undefined ? listRequests(log, query, origin) : readRequest(log, id, origin),
    'GET records': ({ rest: [kind, id], query }) =>
      kind === undefined || id === undefined
        ? listRecords(store, kind, query)
        : readRecord(store, log, kind, id),
    'GET accounts': () => listAccounts(store, accounts),
    'GET faults': () => faults.state(),
    'PUT faults': async ({ readBody }) => {
      const settings = readFaultSettings(toPlain(await readBody()));
      faults.change(settings);
      streams.send('faults', faults.state());
      return faults.state();
    },
    'POST reset': async ({ readBody }) => {
      await readBody();
      await reset();
      return { reset: true };
    },
  };
  const methodsOf = (name: string) =>
    Object.keys(routes).flatMap((key) => (key.endsWith(` ${name}`) ? [key.split(' ')[0]] : []));

  async function handle(exchange: Exchange, response: ServerResponse): Promise<void> {
    const { request } = exchange;
    const { authority = '', path, query } = splitTarget(request.url ?? '', request.headers.host);
    checkSource(request, authority, path === '/');
    if (path.startsWith(`${controlPath}/`)) return sendJson(response, await parts.command(request));
    const { method = '' } = request;
    const file = pageFiles[path];
    if (file && method === 'GET') return sendText(response, file.type, file.text);
    if (path === '/_sandbox/events' && method === 'GET') return streams.open(response);
    const [name = '', ...rest] = path.slice('/_sandbox/'.length).split('/');
    const route = routes[`${method} ${name}`];
    if (!route) {
      const allowed = file || name === 'events' ? ['GET'] : methodsOf(name);
      if (allowed.length === 0) throw notFound('this path does not exist');
      const message = `${method} is not allowed here; allowed: ${allowed.join(', ')}`;
      const headers = { Allow: allowed.join(', ') };
      throw new HttpError(405, 'method-not-allowed', message, undefined, headers);
    }
    const result = await runRoute(route, {
      rest: rest.map((segment) => decode(segment, 'the path')),
      query: new URLSearchParams(query),
      origin: `http://${authority}`,
      readBody: async () => {
        const bytes = await readJsonBytes(exchange);
        return bytes.length === 0 ? new Map() : parseBody(bytes, undefined);
      },
    });
    sendJson(response, result);
  }
  return { handle, streams };
}

/** Settings are parsed as on the command line, where a mistake is a usage error. */
async function runRoute(route: Route, request: ControlRequest): Promise<object> {
  try {
    return await route(request);
  } catch (error) {
    if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
    const { hint } = error.details;
    throw badRequest(hint ? `${error.message}. ${hint}` : error.message);
  }
}

/**
 * Keeps other web pages out. A page elsewhere can make a browser send requests here: under its own
 * name, if it lets that name resolve to 127.0.0.1 (DNS rebinding), or with its own Origin. Opening
 * the page from a link is allowed; it cannot be framed.
 */
function checkSource(request: IncomingMessage, authority: string, isPage: boolean): void {
  const port = request.socket.localPort;
  if (!loopback.test(authority) || Number(/:(\d+)$/.exec(authority)?.[1] ?? 80) !== port) {
    const message = `the page of the sandbox is only at http://127.0.0.1:${port}/`;
    throw new HttpError(403, 'forbidden-host', message, 'Host');
  }
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
  const isLink = isPage && mode === 'navigate' && request.headers['sec-fetch-dest'] === 'document';
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isOwnOrigin = origin === undefined || origin === `http://${authority.toLowerCase()}`;
  if (isOwnOrigin && (isOwnSite || isLink)) return;
  const field = isOwnOrigin ? 'Sec-Fetch-Site' : 'Origin';
  const message = 'another web page cannot use the sandbox';
  throw new HttpError(403, 'forbidden-origin', message, field);
}

const sendJson = (response: ServerResponse, value: unknown) =>
  sendText(response, 'application/json; charset=utf-8', JSON.stringify(value));

function sendText(response: ServerResponse, type: string, text: string): void {
  const size = Buffer.byteLength(text);
  response
    .writeHead(200, { ...controlHeaders, 'Content-Type': type, 'Content-Length': size })
    .end(text);
}
