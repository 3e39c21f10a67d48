import { constants } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MarError, systemCode } from '../errors.ts';
import { formatSize } from '../values/numbers.ts';
import { type Failure, isCertificateCode, RequestErrors, type RequestProgress } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { Turn } from './responseOrder.ts';
import type { Route } from './route.ts';

export interface ExchangeOptions {
  timeoutMs: number;
  maxBodyBytes: number;
  signal?: AbortSignal;
  /** Names the base URL in hints, with the command that prints it. */
  baseUrlName: string;
}

export async function exchange(
  route: Route,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<Pick<HttpResponse, 'status' | 'headers' | 'body'>> {
  const { maxBodyBytes, baseUrlName } = options;
  const errors = new RequestErrors(request, baseUrlName);
  const { incoming, body } = await sendAndCollect(route, request, errors, options);
  const { statusCode: status = 0, headers } = incoming;
  if (route.proxy && status === 407) throw errors.proxy(route.proxy, status);
  try {
    return { status, headers, body: await decodeBody(body, headers, maxBodyBytes) };
  } catch (error) {
    if (!(error instanceof UnusableBody)) throw error;
    throw errors.unusable(error.message, error);
  }
}

function sendAndCollect(
  route: Route,
  request: HttpRequest,
  errors: RequestErrors,
  { timeoutMs, maxBodyBytes, signal }: ExchangeOptions,
): Promise<{ incoming: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const { body } = request;
    const waiting = new AbortController();
    let turn: Turn;

    const finish = () => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', interrupt);
    };
    const fail = (reason: unknown) => {
      finish();
      reject(reason);
      waiting.abort();
      turn.abandon();
    };
    const progress = () => progressOf(turn, route, request);
    const interrupt = () => fail(errors.interruption(signal?.reason, progress()));
    const deadline = setTimeout(
      () => fail(errors.network({ code: 'ETIMEDOUT', timeoutMs }, progress())),
      timeoutMs,
    );
    signal?.addEventListener('abort', interrupt, { once: true });

    const send = () => {
      const headers = { ...request.headers };
      if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body));
      if (route.order.isBroken) headers.Connection = 'close';
      const outgoing = route.open(request, headers, waiting.signal);
      const own = new Turn(route.order, outgoing, () => fail(errors.outOfStep()));
      turn = own;
      let hasResponse = false;
      /** For a kept connection that is unusable, and to which nothing was written yet. */
      const sendOnAnother = () => {
        outgoing.destroy();
        if (turn === own && !waiting.signal.aborted) send();
      };

      outgoing.on('error', async (error) => {
        if (hasResponse) return fail(errors.truncated(error));
        // From the lookup: plain http would have left this machine.
        if (error instanceof MarError) return fail(error);
        if (!own.isWritten) return sendOnAnother();
        const { proxy } = route;
        if (proxy && 'status' in error) return fail(errors.proxy(proxy, Number(error.status)));
        // The request has failed: the deadline must not end the search for the cause.
        clearTimeout(deadline);
        const reached = progressOf(own, route, request);
        const failure = await withCertificate(error, request, route, reached);
        fail(errors.network(failure, progressOf(own, route, request)));
      });
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        if (!own.isWritten) return sendOnAnother();
        fail(errors.unusable('it changes to a protocol that nobody asked for'));
      });
      outgoing.on('response', (incoming) => {
        if (!own.isWritten) return sendOnAnother();
        hasResponse = true;
        const announced = request.method === 'HEAD' ? 0 : announcedLength(incoming);
        collect(incoming, announced, maxBodyBytes)
          .then(async (collected) => {
            clearTimeout(deadline);
            await own.settle(incoming, collected);
            finish();
            resolve({ incoming, body: collected });
          })
          .catch((error) =>
            fail(
              error instanceof UnusableBody
                ? errors.unusable(error.message)
                : errors.truncated(error),
            ),
          );
      });
      own.write(body);
    };
    send();
  });
}

/** A tunnel's socket exists only once the proxy has opened it; any other socket leads to the proxy. */
function progressOf(turn: Turn, { proxy }: Route, { url }: HttpRequest): RequestProgress {
  const isPastProxy = turn.isConnected || (turn.hasSocket && url.protocol === 'https:');
  return { isSent: turn.isSent, waitingFor: isPastProxy ? undefined : proxy };
}

/** Adds the certificate that was not accepted, which Node leaves out of its error. */
async function withCertificate(
  error: Error,
  { url }: HttpRequest,
  route: Route,
  { waitingFor }: RequestProgress,
): Promise<Failure> {
  if (!isCertificateCode(systemCode(error))) return error;
  const { peerCertificate } = await import('./probe.ts');
  const cert = await (waitingFor ? peerCertificate(waitingFor) : peerCertificate(url, route));
  return Object.assign(error, { cert });
}

class UnusableBody extends Error {
  static tooLarge(maxBytes: number): UnusableBody {
    return new UnusableBody(`it is larger than ${formatSize(maxBytes)} (--max-body)`);
  }
}

/** A 304 has no body: its length is that of the record. */
const announcedLength = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 304 ? 0 : Number(headers['content-length'] ?? 0);

function collect(
  incoming: IncomingMessage,
  announced: number,
  maxBodyBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced > maxBodyBytes) return reject(UnusableBody.tooLarge(maxBodyBytes));
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) reject(UnusableBody.tooLarge(maxBodyBytes));
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', reject);
  });
}

async function decodeBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<Buffer> {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length === 0 || body.length === 0) return body;
  const zlib = await import('node:zlib');
  // Node rejects a limit beyond its own.
  const maxOutputLength = Math.min(maxBytes, constants.MAX_LENGTH);
  const decoders: Record<string, (body: Buffer) => Buffer> = {
    gzip: (bytes) => zlib.gunzipSync(bytes, { maxOutputLength }),
    'x-gzip': (bytes) => zlib.gunzipSync(bytes, { maxOutputLength }),
    deflate: (bytes) => zlib.inflateSync(bytes, { maxOutputLength }),
    br: (bytes) => zlib.brotliDecompressSync(bytes, { maxOutputLength }),
  };
  // The last encoding was applied last, so it is undone first.
  return encodings.reduceRight((bytes, name) => {
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (!decode) throw new UnusableBody(`it is encoded as "${name}", which is not known`);
    try {
      return decode(bytes);
    } catch (error) {
      if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw UnusableBody.tooLarge(maxBytes);
      throw new UnusableBody(`it is not ${name}, as it says`);
    }
  }, body);
}
