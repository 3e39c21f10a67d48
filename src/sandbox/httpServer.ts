import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { MarError, systemCode } from '../errors.ts';
import { isDiskFailure } from './database.ts';
import { announcesBody, ClientDisconnected } from './parseRequest.ts';
import type { RequestHandler } from './requestHandler.ts';
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

export function createHttpServer(
  handler: RequestHandler,
  onError: (error: unknown) => void,
): RunningServer {
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

  async function handle(response: ServerResponse, sendContinue: () => void): Promise<void> {
    try {
      const result = await handler(response.req, sendContinue);
      const body = replaceLinkHost(result.body, linkHost, response.req.headers.host);
      send(response, { ...result, body });
    } catch (error) {
      if (!(error instanceof ClientDisconnected)) send(response, toHttpError(error).response);
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
    send(response, error.response);
  });
  return { server, settled: () => Promise.all(inProgress) };
}

function send(response: ServerResponse, result: JsonResponse): void {
  const { req: request } = response;
  const headers = responseHeaders(result);
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
