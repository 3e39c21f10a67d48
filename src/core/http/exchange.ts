import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { systemCode } from '../errors.ts';
import { Deadline } from './deadline.ts';
import { type Phase, requestErrors, unusableError } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { type Connection, keepCertificate, type Route } from './route.ts';

/** A longer response would fill the memory. */
const maxBodyMegabytes = 256;
const maxBodyBytes = maxBodyMegabytes * 2 ** 20;

/** How many new connections are tried, if the service closes each of them before the request is written. */
const maxNewConnections = 3;

type Exchanged = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/** Sends a request, and waits for the whole response. */
export async function exchange(
  route: Route,
  request: HttpRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Exchanged> {
  const errors = requestErrors(request, signal);
  const deadline = new Deadline(timeoutMs, signal);
  const parts = { route, request, errors, deadline };
  try {
    for (let lostConnections = 0; lostConnections < maxNewConnections; ) {
      const tunnelSignal = route.tunnel && deadline.signal();
      const outgoing = route.open(request, headersOf(request), tunnelSignal);
      const response = await exchangeOn(outgoing, parts);
      if (response) return await decoded(response, request);
      if (!outgoing.reusedSocket) lostConnections += 1;
    }
    throw errors.during('connecting', { code: 'ECONNRESET' });
  } finally {
    deadline.end();
  }
}

interface Exchange {
  route: Route;
  request: HttpRequest;
  errors: ReturnType<typeof requestErrors>;
  deadline: Deadline;
}

/**
 * The steps of an exchange. Returns nothing if the connection was lost before anything was written, so
 * that the request can go to another one.
 */
async function exchangeOn(
  outgoing: ClientRequest,
  { route, request, errors, deadline }: Exchange,
): Promise<Exchanged | undefined> {
  const failed = failureOf(outgoing);
  const next = <T>(step: Promise<T>) => deadline.within(Promise.race([step, failed]));
  let phase: Phase = 'connecting';
  try {
    const socket = await next(openSocketOf(outgoing));
    if (outgoing.reusedSocket) await deadline.within(everythingRead());
    else socket.on('data', endConnection);
    if (socket.destroyed) return undefined;

    let { body } = request;
    if (request.lastRead) {
      phase = 'reading';
      const revision = await deadline.suspendedFor(request.lastRead());
      if (revision) {
        const headers = { ...revision.headers, ...lengthHeader(revision.body) };
        outgoing.setHeaders(new Map(Object.entries(headers)));
        body = revision.body;
      }
      await deadline.within(everythingRead());
      if (socket.destroyed) return undefined;
    }

    phase = 'sent';
    socket.off('data', endConnection);
    const responded = responseTo(outgoing, request);
    outgoing.end(body);
    const incoming = await next(responded);

    phase = 'responding';
    const { statusCode: status = 0, headers } = incoming;
    if (route.proxy && status === 407) throw errors.proxy(route.proxy, status);
    incoming.once('end', () => socket.on('data', endConnection));
    return { status, headers, body: await next(collect(incoming, request)) };
  } catch (error) {
    outgoing.destroy();
    if (phase !== 'connecting') throw errors.during(phase, error);
    // With a tunnel, a socket leads through the proxy, not to it.
    const waitingFor = route.tunnel && outgoing.socket ? undefined : route.proxy;
    throw errors.during(phase, error, waitingFor);
  }
}

/** Bytes that arrive when no request waits for them would be taken for the response to the next one. */
function endConnection(this: Socket): void {
  this.destroy();
}

function failureOf(outgoing: ClientRequest): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    outgoing.on('error', reject);
  });
  // It may fail when nothing waits.
  failed.catch(() => {});
  return failed;
}

const openSocketOf = (outgoing: ClientRequest) =>
  new Promise<Socket>((resolve) => {
    outgoing.once('socket', (socket: Connection) => {
      if (outgoing.reusedSocket) return resolve(socket);
      keepCertificate(socket);
      socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => resolve(socket));
    });
  });

/**
 * Lets the event loop read what has arrived on a connection: its end, or bytes that nobody requested.
 * The first callback may still belong to the turn of the loop that has read already.
 */
async function everythingRead(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

const responseTo = (outgoing: ClientRequest, request: HttpRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (_incoming, socket) => {
      socket.destroy();
      reject(unusableError(request, 'it switches to another protocol'));
    });
  });

const headersOf = ({ headers, body }: HttpRequest) => ({
  ...headers,
  ...(body !== undefined && lengthHeader(body)),
});

const lengthHeader = (body: string) => ({ 'Content-Length': String(Buffer.byteLength(body)) });

/** With listeners, because iterating over the response takes 1 % of the CPU of `mar asset get`. */
function collect(incoming: IncomingMessage, request: HttpRequest): Promise<Buffer> {
  const { statusCode, headers } = incoming;
  return new Promise((resolve, reject) => {
    // Without a body, Content-Length is the length that the body would have.
    const hasBody = request.method !== 'HEAD' && statusCode !== 304;
    if (hasBody && Number(headers['content-length']) > maxBodyBytes) {
      return reject(tooLarge(request));
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) reject(tooLarge(request));
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', reject);
  });
}

const tooLarge = (request: HttpRequest) =>
  unusableError(request, `it is larger than ${maxBodyMegabytes} MiB`);

async function decoded(response: Exchanged, request: HttpRequest): Promise<Exchanged> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity' || response.body.length === 0) return response;
  const isBrotli = encoding === 'br';
  if (!isBrotli && !/^(?:x-)?gzip$|^deflate$/.test(encoding)) {
    throw unusableError(request, `it is compressed with "${encoding}", which mar cannot read`);
  }
  const { brotliDecompressSync, unzipSync } = await import('node:zlib');
  const limit = { maxOutputLength: maxBodyBytes };
  try {
    const body = (isBrotli ? brotliDecompressSync : unzipSync)(response.body, limit);
    return { ...response, body };
  } catch (cause) {
    if (systemCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(request);
    throw unusableError(request, `it is marked as ${encoding}, but cannot be decoded`, { cause });
  }
}
