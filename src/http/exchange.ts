import { constants } from 'node:buffer';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MarError, systemCode } from '../errors.ts';
import { formatSize } from '../values/size.ts';
import type { Route } from './connections.ts';
import {
  type Failure,
  interruption,
  isCertificateCode,
  networkError,
  outOfStepError,
  proxyError,
  type Reached,
  truncatedError,
  unreadableError,
} from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { Turn } from './responseOrder.ts';

export interface ExchangeOptions {
  /** For the whole request, from the first look-up to the last byte of the body. */
  timeoutMs: number;
  maxBodyBytes: number;
  /** Ends what is under way; its reason is what the request fails with. */
  signal?: AbortSignal;
}

/** Puts a request on the wire once and reads its answer whole. */
export async function exchange(
  route: Route,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<Pick<HttpResponse, 'status' | 'headers' | 'body'>> {
  const { maxBodyBytes } = options;
  const { incoming, body } = await sendAndCollect(route, request, options);
  const { statusCode: status = 0, headers } = incoming;
  if (route.proxy && status === 407) throw proxyError(request, route.proxy, status);
  try {
    return { status, headers, body: await decodeBody(body, headers, maxBodyBytes) };
  } catch (error) {
    if (!(error instanceof UndecodableBody)) throw error;
    throw unreadableError(request, error.message, error);
  }
}

/** One try at a request on one connection. */
interface Attempt {
  turn: Turn;
  reached(): Reached;
}

function sendAndCollect(
  route: Route,
  request: HttpRequest,
  { timeoutMs, maxBodyBytes, signal }: ExchangeOptions,
): Promise<{ incoming: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const { body } = request;
    const waiting = new AbortController();
    let attempt: Attempt;

    const finish = () => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', interrupt);
    };
    const fail = (reason: unknown) => {
      finish();
      reject(reason);
      waiting.abort();
      attempt.turn.abandon();
    };
    const interrupt = () => fail(interruption(request, signal?.reason, attempt.reached()));
    const deadline = setTimeout(
      () => fail(networkError(request, { code: 'ETIMEDOUT', timeoutMs }, attempt.reached())),
      timeoutMs,
    );
    signal?.addEventListener('abort', interrupt, { once: true });

    const begin = () => {
      const headers = { ...request.headers };
      if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body));
      if (route.order.isBroken) headers.Connection = 'close';
      const outgoing = route.open(request, headers, waiting.signal);
      const turn = new Turn(route.order, outgoing, () => fail(outOfStepError(request)));
      const reached = watchSending(outgoing, turn, route, request);
      let isAnswered = false;
      attempt = { turn, reached };
      /** The kept connection turned out to be unusable, and nothing was written to it yet. */
      const takeAnother = () => {
        outgoing.destroy();
        if (attempt.turn === turn && !waiting.signal.aborted) begin();
      };

      outgoing.on('error', async (error) => {
        if (isAnswered) return fail(truncatedError(request, error));
        // Plain http would have left this machine.
        if (error instanceof MarError) return fail(error);
        if (!turn.isWritten) return takeAnother();
        const { proxy } = route;
        if (proxy && 'status' in error) {
          return fail(proxyError(request, proxy, Number(error.status)));
        }
        // It has failed: to find out more about it is not to run out of time.
        clearTimeout(deadline);
        const failure = await withCertificate(error, request, route, reached());
        fail(networkError(request, failure, reached()));
      });
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        if (!turn.isWritten) return takeAnother();
        fail(unreadableError(request, 'it changes to a protocol that nobody asked for'));
      });
      outgoing.on('response', (incoming) => {
        if (!turn.isWritten) return takeAnother();
        isAnswered = true;
        const announced = request.method === 'HEAD' ? 0 : lengthOf(incoming);
        collect(incoming, announced, maxBodyBytes).then(
          async (collected) => {
            clearTimeout(deadline);
            await turn.settle(incoming, collected);
            finish();
            resolve({ incoming, body: collected });
          },
          (error) =>
            fail(
              error instanceof TooLarge
                ? unreadableError(request, error.message)
                : truncatedError(request, error),
            ),
        );
      });
      turn.write(body);
    };
    begin();
  });
}

/** Node does not say which certificate it did not accept. */
async function withCertificate(
  error: Error,
  { url }: HttpRequest,
  route: Route,
  { stoppedAt }: Reached,
): Promise<Failure> {
  if (!isCertificateCode(systemCode(error))) return error;
  const { peerCertificate } = await import('./probe.ts');
  const cert = await (stoppedAt ? peerCertificate(stoppedAt) : peerCertificate(url, route));
  return Object.assign(error, { cert });
}

/** How far a request has come: nothing of it can have left before the connection stands. */
function watchSending(
  outgoing: ClientRequest,
  turn: Turn,
  { proxy }: Route,
  { url }: HttpRequest,
): () => Reached {
  let isConnected = false;
  // A tunnel is a socket only once the proxy has opened it; any other one leads to the proxy itself.
  let isPastProxy = false;
  outgoing.on('socket', (socket: Socket & { encrypted?: boolean }) => {
    isPastProxy = url.protocol === 'https:';
    if (outgoing.reusedSocket || (!socket.connecting && !socket.encrypted)) {
      isConnected = true;
      return;
    }
    socket.once(socket.encrypted ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
  });
  return () => ({
    isSent: isConnected && turn.isWritten,
    stoppedAt: isConnected || isPastProxy ? undefined : proxy,
  });
}

class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`it is larger than ${formatSize(maxBytes)} (--max-body)`);
  }
}

/** What an answer says of its length; where it has no body, it speaks of another one's. */
const lengthOf = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 304 ? 0 : Number(headers['content-length'] ?? 0);

function collect(
  incoming: IncomingMessage,
  announced: number,
  maxBodyBytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced > maxBodyBytes) return reject(new TooLarge(maxBodyBytes));
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) reject(new TooLarge(maxBodyBytes));
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', reject);
  });
}

/** A body that cannot be read as what its headers say. */
class UndecodableBody extends Error {}

/** Undoes what `Content-Encoding` says was done to a body. */
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
  // Node refuses a limit beyond its own.
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
    if (!decode) throw new UndecodableBody(`it is encoded as "${name}", which is not known`);
    try {
      return decode(bytes);
    } catch (error) {
      const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
      throw new UndecodableBody(
        isLarge
          ? `it is larger than ${formatSize(maxBytes)} (--max-body)`
          : `it is not ${name}, as it says`,
      );
    }
  }, body);
}
