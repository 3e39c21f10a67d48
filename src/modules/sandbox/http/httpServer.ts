import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { MarError } from '../../../core/errors.ts';
import { hintLine } from '../../../core/values/hintLines.ts';
import type { RequestHandler } from '../api/requestHandler.ts';
import type { ControlHandler } from '../control/controlApi.ts';
import type { FaultPlan, Faults } from '../faults/faults.ts';
import type { RequestLog } from '../log/requestLog.ts';
import type { Behaviour } from '../store/behaviour.ts';
import { basePath, type ReceivedRequest, receive, splitTarget } from './parseRequest.ts';
import { badRequest, HttpError, type JsonResponse, responseHeaders } from './responses.ts';

interface ServerParts {
  readonly handler: RequestHandler;
  /** The page and its API, which are neither logged nor broken by faults. */
  readonly control: ControlHandler;
  readonly behaviour: Behaviour;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Called for bugs of the sandbox itself, and if its data cannot be written. */
  readonly onError: (error: unknown) => void;
}

/** Invalid HTTP, large headers, slow clients, `Expect` and CONNECT are left to Node. */
export function createHttpServer(parts: ServerParts) {
  const { handler, control, behaviour, faults, log, onError } = parts;
  const inProgress = new Set<Promise<void>>();

  function toErrorResponse(error: unknown): JsonResponse {
    if (error instanceof HttpError) return error.response;
    // The control API reads settings as the command line does, where a mistake is a usage error.
    if (error instanceof MarError && error.kind === 'usage') {
      const hints = error.hints.map((hint) => hintLine(hint));
      return badRequest([error.message, ...hints].join('. ')).response;
    }
    onError(error);
    return new HttpError(500, 'internal', 'internal error in the sandbox').response;
  }

  function respond(received: ReceivedRequest, plan?: FaultPlan): JsonResponse {
    if (plan?.effect.kind === 'status') return faultError(plan.effect, plan.reason).response;
    try {
      return handler(received);
    } catch (error) {
      return behaviour.refuse(received.method, toErrorResponse(error));
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, local } = splitTarget(request);
    if (path === '/' || path.startsWith('/_sandbox/')) return sendControl(request, response);
    const plan = path.startsWith(`${basePath}/`)
      ? faults.plan(path.slice(basePath.length))
      : undefined;
    const note = plan?.reason;
    const record = log.start(request, local);
    if (plan?.effect.kind === 'delay' && !(await waitsFor(plan.effect.ms, response))) {
      return record({ note: `${note}, and the client disconnected` });
    }
    const received = await receive(request);
    if (!received) return record({ note: 'the client disconnected' });
    const result = respond(received, plan);
    const { body } = received;
    if (plan?.effect.kind === 'reset') {
      record({ note, body });
      return void request.socket.resetAndDestroy();
    }
    const sent = responseHeaders(result);
    // Logged first: a client that has the response finds its request in the log.
    record({ note, body, response: { ...result, headers: sent } });
    response.writeHead(result.status, sent).end(result.body);
  }

  async function sendControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    if (!received) return;
    try {
      await control(received, response);
    } catch (error) {
      const result = toErrorResponse(error);
      response.writeHead(result.status, responseHeaders(result)).end(result.body);
    }
  }

  // After Node's 5 seconds, a connection could end just when a client sends its next request.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const work = handle(request, response).catch(onError);
    inProgress.add(work);
    void work.finally(() => inProgress.delete(work));
  });
  /** Resolves when the requests in progress are done. */
  const idle = () => Promise.all(inProgress);
  return { server, idle };
}

const faultError = ({ status, retryAfter }: { status: number; retryAfter?: number }, why: string) =>
  new HttpError(
    status,
    status === 429 ? 'rate-limited' : 'fault',
    `the sandbox was told to fail: ${why}`,
    undefined,
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  );

/** Whether the client still waits after this time. */
async function waitsFor(ms: number, response: ServerResponse): Promise<boolean> {
  const signal = AbortSignal.timeout(ms);
  if (!response.destroyed) await once(response, 'close', { signal }).catch(() => {});
  return !response.destroyed;
}
