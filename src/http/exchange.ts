import { constants } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MarError, systemCode } from '../errors.ts';
import { isCertificateCode, RequestErrors, type RequestProgress } from './failure.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { Turn } from './responseOrder.ts';
import type { Route } from './route.ts';

export interface ExchangeOptions {
  timeoutMs: number;
  maxBodyBytes: number;
  signal?: AbortSignal;
  /** For hints, with the command that prints it. */
  baseUrlName: string;
}

export async function exchange(
  route: Route,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<Pick<HttpResponse, 'status' | 'headers' | 'body'>> {
  const errors = new RequestErrors(request, options.baseUrlName);
  const { incoming, body } = await sendAndCollect(route, request, errors, options);
  const { statusCode: status = 0, headers } = incoming;
  if (route.proxy && status === 407) throw errors.proxy(route.proxy, status);
  return { status, headers, body: await decodeBody(body, headers, options.maxBodyBytes, errors) };
}

function sendAndCollect(
  route: Route,
  request: HttpRequest,
  errors: RequestErrors,
  { timeoutMs, maxBodyBytes, signal }: ExchangeOptions,
): Promise<{ incoming: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const { url, body } = request;
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
    const progressOf = ({ isSent, isConnected, hasSocket }: Turn): RequestProgress => {
      // A tunnel's socket exists only once the proxy has opened it; any other leads to the proxy.
      const isPastProxy = isConnected || (hasSocket && url.protocol === 'https:');
      return { isSent, waitingFor: isPastProxy ? undefined : route.proxy };
    };
    const interrupt = () => fail(errors.interruption(signal?.reason, progressOf(turn)));
    const deadline = setTimeout(
      () => fail(errors.network({ code: 'ETIMEDOUT', timeoutMs }, progressOf(turn))),
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
        const progress = progressOf(own);
        const failure = await withCertificate(error, url, route, progress.waitingFor);
        fail(errors.network(failure, progress));
      });
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        if (!own.isWritten) return sendOnAnother();
        fail(errors.unusable('it switches to another protocol'));
      });
      outgoing.on('response', (incoming) => {
        if (!own.isWritten) return sendOnAnother();
        hasResponse = true;
        collect(incoming, request, maxBodyBytes, errors)
          .then(async (collected) => {
            clearTimeout(deadline);
            await own.settle(incoming, collected);
            finish();
            resolve({ incoming, body: collected });
          })
          .catch((error) => fail(error instanceof MarError ? error : errors.truncated(error)));
      });
      own.write(body);
    };
    send();
  });
}

/** Adds the certificate that was not accepted, which Node leaves out of its error. */
async function withCertificate(error: Error, url: URL, route: Route, waitingFor: URL | undefined) {
  if (!isCertificateCode(systemCode(error))) return error;
  const { peerCertificate } = await import('./probe.ts');
  const cert = await (waitingFor ? peerCertificate(waitingFor) : peerCertificate(url, route));
  return Object.assign(error, { cert });
}

function collect(
  incoming: IncomingMessage,
  { method }: HttpRequest,
  maxBytes: number,
  errors: RequestErrors,
): Promise<Buffer> {
  const { statusCode, headers } = incoming;
  return new Promise((resolve, reject) => {
    // Without a body, the length is that of the record.
    const hasBody = method !== 'HEAD' && statusCode !== 304;
    if (hasBody && Number(headers['content-length']) > maxBytes) {
      return reject(errors.tooLarge(maxBytes));
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) reject(errors.tooLarge(maxBytes));
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', reject);
  });
}

async function decodeBody(
  body: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  errors: RequestErrors,
): Promise<Buffer> {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (encodings.length === 0 || body.length === 0) return body;
  const zlib = await import('node:zlib');
  // Node rejects a limit beyond its own.
  const options = { maxOutputLength: Math.min(maxBytes, constants.MAX_LENGTH) };
  const decoders = new Map<string, (bytes: Buffer) => Buffer>([
    ['gzip', (bytes) => zlib.gunzipSync(bytes, options)],
    ['x-gzip', (bytes) => zlib.gunzipSync(bytes, options)],
    ['deflate', (bytes) => zlib.inflateSync(bytes, options)],
    ['br', (bytes) => zlib.brotliDecompressSync(bytes, options)],
  ]);
  // The last encoding was applied last, so it is undone first.
  return encodings.reduceRight((bytes, name) => {
    const decode = decoders.get(name);
    if (!decode) throw errors.unusable(`unknown content encoding "${name}"`);
    try {
      return decode(bytes);
    } catch (error) {
      if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw errors.tooLarge(maxBytes);
      throw errors.unusable(`it is marked as ${name}, but cannot be decoded`, error);
    }
  }, body);
}
