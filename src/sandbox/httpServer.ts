import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { MarError, systemCode } from '../errors.ts';
import type { ControlHandler } from './controlApi.ts';
import { isDiskFailure } from './database.ts';
import type { FaultPlan, Faults } from './faults.ts';
import { resetConnection, sendHalf, sendSlowly, waitsFor, whenClosed } from './faultyResponse.ts';
import {
  announcesBody,
  basePath,
  ClientDisconnected,
  type Exchange,
  splitTarget,
} from './parseRequest.ts';
import type { RequestHandler } from './requestHandler.ts';
import type { RequestLog } from './requestLog.ts';
import {
  badRequest,
  HttpError,
  type JsonResponse,
  linkHost,
  replaceLinkHost,
  responseHeaders,
} from './responses.ts';

/** How long a client may take to stop sending, or to read the response, before it is cut off. */
const lingerMs = 2000;

export interface RunningServer {
  readonly server: Server;
  /** Resolves when the requests in progress are done. */
  settled(): Promise<unknown>;
}

/** The parts that a request passes through. */
export interface ServerParts {
  /** The API. */
  readonly handler: RequestHandler;
  /** The page and its API, which are neither logged nor broken by faults. */
  readonly control: ControlHandler;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Called for bugs of the sandbox itself. */
  readonly onError: (error: unknown) => void;
}

export function createHttpServer(parts: ServerParts): RunningServer {
  const { handler, control, faults, log, onError } = parts;
  const inProgress = new Set<Promise<void>>();
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 15_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 1000,
    // Node's own response to a missing Host header has no body.
    requireHostHeader: false,
  });

  function toHttpError(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    if (!isDiskFailure(error)) {
      onError(error);
      return new HttpError(500, 'internal', 'internal error: this is a bug in the sandbox');
    }
    onError(new MarError('service', `cannot write the data (${systemCode(error)})`));
    const message =
      'the sandbox cannot store this: the disk is full, or the data folder is not writable';
    return new HttpError(507, 'storage-full', message);
  }

  /** Undefined if the client disconnected before its request was complete. */
  async function respond(exchange: Exchange, plan: FaultPlan | undefined) {
    try {
      if (plan?.effect?.kind === 'status') throw faultError(plan.effect, plan.reason);
      const { response, changes } = await handler(exchange);
      const body = replaceLinkHost(response.body, linkHost, exchange.request.headers.host);
      return { result: { ...response, body }, changes };
    } catch (error) {
      if (error instanceof ClientDisconnected) return undefined;
      return { result: toHttpError(error).response, changes: [] };
    }
  }

  async function handle(response: ServerResponse, sendContinue: () => void): Promise<void> {
    const exchange: Exchange = { request: response.req, sendContinue };
    const { url = '', method = '', headers } = exchange.request;
    const { path, local } = splitTarget(url, headers.host);
    if (path === '/' || path.startsWith('/_sandbox')) return sendControl(exchange, response);
    const plan = path.startsWith(`${basePath}/`)
      ? faults.plan(method, path.slice(basePath.length))
      : undefined;
    const effect = plan?.effect;
    const record = log.start(exchange, local);
    if (plan && plan.delayMs > 0 && !(await waitsFor(plan.delayMs, response))) {
      return record(`${plan.reason}, and the client disconnected`);
    }
    // The request may still be arriving.
    if (effect?.kind === 'hang' || effect?.kind === 'reset') {
      record(plan?.reason);
      if (effect.kind === 'reset') return resetConnection(response);
      response.req.resume();
      return whenClosed(response);
    }
    const done = await respond(exchange, plan);
    if (!done) return record('the client disconnected');
    const { result, changes } = done;
    if (effect?.kind === 'reset-after') {
      record(plan?.reason, undefined, changes);
      return resetConnection(response);
    }
    const sent = responseHeaders(result);
    if (effect?.kind === 'type') sent['Content-Type'] = effect.type;
    // Logged first: a client that has the response finds its request in the log.
    record(plan?.reason, { ...result, headers: sent }, changes);
    if (effect?.kind !== 'cut' && effect?.kind !== 'drip') return send(response, result, sent);
    response.writeHead(result.status, sent);
    const body = Buffer.from(result.body);
    if (effect.kind === 'cut') return sendHalf(response, body);
    return sendSlowly(response, body, effect.ms);
  }

  async function sendControl(exchange: Exchange, response: ServerResponse): Promise<void> {
    try {
      await control(exchange, response);
    } catch (error) {
      if (error instanceof ClientDisconnected) return;
      const result = toHttpError(error).response;
      send(response, result, responseHeaders(result));
    }
  }

  const start = (response: ServerResponse, sendContinue: () => void) => {
    const work = handle(response, sendContinue).catch(onError);
    inProgress.add(work);
    void work.finally(() => inProgress.delete(work));
  };

  handleInvalidHttp(server);
  server.on('request', (_request, response) => start(response, () => {}));
  server.on('checkContinue', (_request, response: ServerResponse) =>
    start(response, () => response.writeContinue()),
  );
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const error = new HttpError(417, 'expectation-failed', 'Expect supports only 100-continue');
    send(response, error.response, responseHeaders(error.response));
  });
  return { server, settled: () => Promise.all(inProgress) };
}

function send(
  response: ServerResponse,
  result: JsonResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const { req: request } = response;
  if (request.complete || !announcesBody(request)) {
    response.writeHead(result.status, headers).end(result.body);
    return;
  }
  // The client is still sending. Closing now would reset the connection and could lose the
  // response, so send all of it and close when the client has stopped.
  response.writeHead(result.status, { ...headers, Connection: 'close' }).write(result.body);
  const timer = setTimeout(() => response.end(), lingerMs);
  request.on('close', () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}

const faultError = ({ status, retryAfter }: { status: number; retryAfter?: number }, why: string) =>
  new HttpError(
    status,
    status === 429 ? 'rate-limited' : 'fault',
    `the sandbox was told to fail: ${why}`,
    undefined,
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  );

/** Responds to input that never becomes a request: invalid HTTP, oversized headers, CONNECT. */
function handleInvalidHttp(server: Server): void {
  const openResponses = new WeakMap<Duplex, Set<ServerResponse>>();
  const rejected = new WeakSet<Duplex>();

  const track = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = openResponses.get(socket) ?? new Set();
    openResponses.set(socket, open.add(response));
    response.on('close', () => open.delete(response));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, track);

  server.on('clientError', (error, socket) => {
    // The parser reports every following chunk again.
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const open = [...(openResponses.get(socket) ?? [])];
    if (!socket.writable || open.some(({ headersSent }) => headersSent)) {
      socket.destroy();
      return;
    }
    // Complete requests that came before the invalid bytes get their responses first.
    const complete = open.filter(({ req }) => req.complete);
    const closed = complete.map(
      (response) => response.closed || new Promise((resolve) => response.on('close', resolve)),
    );
    void Promise.all(closed).then(() => reject(socket, parserError(error)));
  });

  server.on('connect', (_request, socket) => {
    reject(socket, new HttpError(405, 'method-not-allowed', 'the sandbox is not a proxy'));
  });
}

function parserError(error: unknown): HttpError {
  const code = systemCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpError(431, 'headers-too-large', 'the headers are larger than 16 KiB');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpError(408, 'timeout', 'the request did not arrive in time');
  }
  return badRequest('the request is not valid HTTP');
}

/** Writes the response by hand, because there is no request to respond to, and closes. */
function reject(socket: Duplex, error: HttpError): void {
  const { status, body } = error.response;
  const headers = { ...responseHeaders(error.response), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
  socket.on('end', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
}
