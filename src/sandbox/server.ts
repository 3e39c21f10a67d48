import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { MarError, systemCode } from '../errors.ts';
import { type Answer, answerHeaders, refusalAnswer } from './answer.ts';
import { ClientGone, hasBody } from './body.ts';
import { answerBrokenSockets } from './brokenSockets.ts';
import { isDiskFailure } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

/** How long an answer may wait for the client to stop sending. */
const lingerMs = 2000;

export interface RunningServer {
  readonly server: Server;
  /** Resolves when the requests that are under way have been dealt with. */
  settled(): Promise<void>;
}

export function serve(service: Service, onError: (error: unknown) => void): RunningServer {
  const underWay = new Set<Promise<void>>();
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 15_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 1000,
    // Node's own answer to a missing Host header has no body.
    requireHostHeader: false,
  });

  function refusalFor(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (!isDiskFailure(error)) {
      onError(error);
      return internalError();
    }
    onError(new MarError('service', `cannot write its data (${systemCode(error)})`));
    return storageFull();
  }

  const take = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => {
    const work = handle(request, response, proceed).catch(onError);
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  async function handle(request: IncomingMessage, response: ServerResponse, proceed: () => void) {
    let answer: Answer;
    try {
      answer = await service(request, proceed);
    } catch (error) {
      if (error instanceof ClientGone) return;
      answer = refusalAnswer(refusalFor(error));
    }
    send(request, response, answer);
  }

  answerBrokenSockets(server);
  server.on('request', (request, response) => take(request, response, () => {}));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    take(request, response, () => response.writeContinue()),
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(417, 'expectation-failed', 'only 100-continue can be expected');
    send(request, response, refusalAnswer(refusal));
  });
  return {
    server,
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const headers = answerHeaders(answer);
  if (request.complete || !hasBody(request)) {
    response.writeHead(answer.status, headers).end(answer.body);
    return;
  }
  // The rest of the body is still coming. Closing now would reset the connection, and the client
  // could lose the answer: so it gets the whole answer, and the end once it has stopped sending.
  response.writeHead(answer.status, { ...headers, Connection: 'close' }).write(answer.body);
  const timer = setTimeout(() => response.end(), lingerMs);
  request.on('close', () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}

const storageFull = () =>
  new Refusal(
    507,
    'storage-full',
    'the sandbox cannot store this: the disk is full, or its data folder cannot be written',
  );

const internalError = () => new Refusal(500, 'internal', 'the sandbox failed; this is a bug in it');
