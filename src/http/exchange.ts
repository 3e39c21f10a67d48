import { constants } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { MarError, systemCode } from '../errors.ts';
import { isCertificateCode, requestErrors, tooLargeError, unusableError } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { everythingRead, type ResponseOrder, Turn } from './responseOrder.ts';
import type { Route } from './route.ts';

export interface ExchangeOptions {
  timeoutMs: number;
  maxBodyBytes: number;
  /** How hints name the base URL, with the command that prints it. */
  baseUrlName: string;
  order: ResponseOrder;
}

/** How many new connections are tried, if the service closes each of them during the last read. */
const maxNewConnections = 3;

/** A timer that is later than this shows that the process was stopped, or the machine asleep. */
const maxLateMs = 100;

type Exchanged = Pick<HttpResponse, 'status' | 'headers' | 'body' | 'isFirst'>;

export async function exchange(
  route: Route,
  request: HttpRequest,
  options: ExchangeOptions,
  signal?: AbortSignal,
): Promise<Exchanged> {
  const errors = requestErrors(request, options.baseUrlName);
  const response = await sendAndCollect(route, request, errors, options, signal);
  const { status, headers, body } = response;
  if (route.proxy && status === 407) throw errors.proxy(route.proxy, status);
  const encoding = headers['content-encoding'];
  if (!encoding || body.length === 0) return response;
  return { ...response, body: await decodeBody(body, encoding, request, options.maxBodyBytes) };
}

function sendAndCollect(
  route: Route,
  request: HttpRequest,
  errors: ReturnType<typeof requestErrors>,
  { timeoutMs, maxBodyBytes, order }: ExchangeOptions,
  signal?: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const { url, body } = request;
    const tunnelStop = route.tunnel && new AbortController();
    let turn: Turn;
    let isOver = false;
    let deadline: NodeJS.Timeout | undefined;
    let looking: Promise<string | undefined> | undefined;
    let lostConnections = 0;

    const finish = () => {
      isOver = true;
      clearTimeout(deadline);
      signal?.removeEventListener('abort', interrupt);
    };
    const fail = (reason: unknown) => {
      finish();
      reject(reason);
      tunnelStop?.abort();
      turn.abandon();
    };
    const interrupt = () => fail(errors.interruption(signal?.reason, turn));
    let isExtended = false;
    const startDeadline = () => {
      const start = Date.now();
      const timer = setTimeout(async () => {
        const isLate = Date.now() - start > timeoutMs + maxLateMs;
        const { isSent } = turn;
        // After a pause of the process itself, the response may have come in time.
        await everythingRead();
        if (isOver || timer !== deadline) return;
        // After a pause, or if the request left only now, the service had no time to respond. Once, because
        // on a busy machine each timer is late.
        const hadNoTime = (isLate && !turn.hasResponse) || isSent !== turn.isSent;
        if (!hadNoTime || isExtended)
          return fail(errors.network({ code: 'ETIMEDOUT', timeoutMs }, turn));
        isExtended = true;
        startDeadline();
      }, timeoutMs);
      deadline = timer;
    };
    startDeadline();
    signal?.addEventListener('abort', interrupt, { once: true });

    /** Returns the body. The look has its own deadline; after it, the write has the full time again. */
    const look = async (outgoing: ClientRequest) => {
      clearTimeout(deadline);
      deadline = undefined;
      try {
        const revision = await request.lastRead?.();
        if (!revision) return body;
        const headers = { ...revision.headers, 'Content-Length': lengthOf(revision.body) };
        outgoing.setHeaders(new Map(Object.entries(headers)));
        return revision.body;
      } catch (error) {
        fail(error instanceof MarError ? error.with({ outcome: 'not-sent' }) : error);
      } finally {
        if (!isOver) startDeadline();
      }
    };

    const send = () => {
      const headers = { ...request.headers };
      if (body !== undefined) headers['Content-Length'] = lengthOf(body);
      if (!order.keepsConnections) headers.Connection = 'close';
      const outgoing = route.open(request, headers, tunnelStop?.signal);
      const own = new Turn(route, order, outgoing, () => {
        if (!isOver) fail(errors.outOfStep());
      });
      turn = own;
      let isReplaced = false;
      /** The open connection turned out to be unusable before anything was written to it. */
      const sendOnAnother = async (problem: Error) => {
        outgoing.destroy();
        if (isReplaced) return;
        isReplaced = true;
        // One look at a time: a late one would take our own write for a change by somebody else.
        if (looking) await looking;
        if (isOver) return;
        if (!own.isReused) lostConnections += 1;
        if (lostConnections < maxNewConnections) send();
        else fail(errors.network(problem, own));
      };

      outgoing.on('error', async (error) => {
        if (own.hasResponse) return fail(errors.truncated(error));
        // Our own lookup refused the address: plain http would leave this machine.
        if (error instanceof MarError) return fail(error);
        if (own.isReplaceable) return sendOnAnother(error);
        // The request has failed: the deadline must not end the search for the cause.
        clearTimeout(deadline);
        fail(errors.network(await withCertificate(error, url, route, own.waitingFor), own));
      });
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        if (!own.isWritten) return sendOnAnother(unrequested());
        fail(unusableError(request, 'it switches to another protocol'));
      });
      outgoing.on('response', (incoming) => {
        if (!own.isWritten) return sendOnAnother(unrequested());
        own.begin(incoming);
        collect(incoming, request, maxBodyBytes)
          .then(async (collected) => {
            clearTimeout(deadline);
            await own.checkEarly(incoming);
            finish();
            const { statusCode: status = 0, headers } = incoming;
            resolve({ status, headers, body: collected, isFirst: !own.isReused });
          })
          .catch((error) => fail(error instanceof MarError ? error : errors.truncated(error)));
      });
      const lastRead = () => {
        looking = look(outgoing);
        return looking;
      };
      own.write(body, request.lastRead && lastRead);
    };
    send();
  });
}

const lengthOf = (body: string) => String(Buffer.byteLength(body));

const unrequested = () => new Error('it sent a response before it got a request');

/** Adds the certificate that was not accepted, which Node leaves out of its error. */
async function withCertificate(error: Error, url: URL, route: Route, waitingFor: URL | undefined) {
  if (!isCertificateCode(systemCode(error))) return error;
  const { peerCertificate } = await import('./probe.ts');
  const cert = await (waitingFor
    ? peerCertificate(waitingFor)
    : peerCertificate(url, route.tunnel));
  return Object.assign(error, { cert });
}

function collect(
  incoming: IncomingMessage,
  request: HttpRequest,
  maxBytes: number,
): Promise<Buffer> {
  const { statusCode, headers } = incoming;
  return new Promise((resolve, reject) => {
    // Without a body, Content-Length is the length that the body would have.
    const hasBody = request.method !== 'HEAD' && statusCode !== 304;
    if (hasBody && Number(headers['content-length']) > maxBytes) {
      return reject(tooLargeError(request, maxBytes));
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) reject(tooLargeError(request, maxBytes));
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', reject);
  });
}

async function decodeBody(body: Buffer, encoding: string, request: HttpRequest, maxBytes: number) {
  const zlib = await import('node:zlib');
  const decoders = new Map<string, (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer>([
    ['gzip', zlib.gunzipSync],
    ['x-gzip', zlib.gunzipSync],
    ['deflate', zlib.inflateSync],
    ['br', zlib.brotliDecompressSync],
  ]);
  // Node rejects a limit beyond its own.
  const limit = { maxOutputLength: Math.min(maxBytes, constants.MAX_LENGTH) };
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  // The last encoding was applied last, so it is undone first.
  return names.reduceRight((bytes, name) => {
    if (name === '' || name === 'identity') return bytes;
    const decode = decoders.get(name);
    if (!decode)
      throw unusableError(request, `it is compressed with "${name}", which mar cannot read`);
    try {
      return decode(bytes, limit);
    } catch (error) {
      if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(request, maxBytes);
      throw unusableError(request, `it is marked as ${name}, but cannot be decoded`, {
        cause: error,
      });
    }
  }, body);
}
