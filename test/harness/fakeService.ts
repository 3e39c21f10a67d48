import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './mar.ts';
import { account } from './recordingServer.ts';
import { storedAccount } from './storedAccount.ts';

export interface FakeRequest {
  method: string;
  /** Path and query below the base URL. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A body, an error status, the parts of a response, or nothing to close the connection. */
export type FakeResponse =
  | string
  | number
  | { status?: number; headers?: OutgoingHttpHeaders; body?: string | Buffer }
  | undefined;

/**
 * A service that responds to each request with the result of `respond`, unless that has responded,
 * until the test ends. `env` points mar to it.
 */
export async function fakeService(
  respond: (request: FakeRequest, response: ServerResponse) => FakeResponse | Promise<FakeResponse>,
) {
  // No limit: on a busy machine, a request may come just when Node closes an idle connection.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method = '', url = '', headers } = request;
    const path = url.replace('/api', '');
    const result = await respond({ method, path, headers, body: await text(request) }, response);
    if (response.writableEnded) return;
    if (result === undefined) return void request.socket.destroy();
    const { status = 200, headers: sent = {}, body } = partsOf(result);
    response.writeHead(status, { 'Content-Type': 'application/json', ...sent }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}/api`;
  return { server, baseUrl, env: { ...account, MAR_BASE_URL: baseUrl }, close };
}

function partsOf(response: NonNullable<FakeResponse>) {
  if (typeof response === 'string') return { body: response };
  if (typeof response !== 'number') return response;
  return { status: response, body: `{"message":"status ${response}"}` };
}

/** Variables that log mar in to a service, with folders of its own. */
export const storedLogin = (baseUrl: string) => storedAccount(temporaryFolder(), baseUrl);

export const tagOf = (body: string) => `"${createHash('sha256').update(body).digest('hex')}"`;

/** The first and the last index of the requested range, which is `0-9`. */
export function rangeOf({ headers }: FakeRequest) {
  const range = String(headers['x-range']).replace('resources=', '');
  const [from = 0, to = 0] = range.split('-').map(Number);
  return { range, from, to };
}
