import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemCode } from '../errors.ts';
import { answerHeaders, refusalAnswer } from './answer.ts';
import { Refusal } from './refusal.ts';

/** How long a client may take to read the answer before the connection is cut. */
const partingMs = 2000;

/** What is read from a socket and not answered yet. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers what never becomes a request: bytes that are not HTTP, headers without end, CONNECT. */
export function answerBrokenSockets(server: Server): void {
  const exchanges = new WeakMap<Duplex, Set<Exchange>>();
  const broken = new WeakSet<Duplex>();

  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const open = exchanges.get(request.socket) ?? new Set();
    exchanges.set(request.socket, open);
    const exchange = { request, response };
    open.add(exchange);
    response.on('close', () => open.delete(exchange));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, follow);

  server.on('clientError', (error, socket) => {
    // The parser complains again about every chunk that follows.
    if (broken.has(socket)) return;
    broken.add(socket);
    const open = [...(exchanges.get(socket) ?? [])];
    if (!socket.writable || open.some(({ response }) => response.headersSent)) {
      socket.destroy();
      return;
    }
    // Requests that came whole before the broken one get their answers first.
    const whole = open.filter(({ request }) => request.complete);
    void Promise.all(whole.map(({ response }) => closed(response))).then(() =>
      part(socket, refusalOf(error)),
    );
  });

  server.on('connect', (_request, socket) => {
    part(socket, new Refusal(405, 'method-not-allowed', 'the sandbox is not a proxy'));
  });
}

function refusalOf(error: unknown): Refusal {
  switch (systemCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(431, 'headers-too-large', 'the headers are larger than 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal(408, 'timeout', 'the request did not arrive in time');
    default:
      return new Refusal(400, 'bad-request', 'the request is not valid HTTP');
  }
}

/** Says why, then closes. */
function part(socket: Duplex, refusal: Refusal): void {
  const answer = refusalAnswer(refusal);
  const headers = { ...answerHeaders(answer), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n`;
  const timer = setTimeout(() => socket.destroy(), partingMs);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
  socket.on('end', () => socket.destroy());
  socket.end(`${status}${lines.join('')}\r\n${answer.body}`);
  socket.resume();
}

const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    if (response.closed) resolve();
    else response.on('close', resolve);
  });
