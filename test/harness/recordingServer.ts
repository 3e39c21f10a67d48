import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RecordingServer {
  port: number;
  baseUrl: string;
  /** Variables that log mar in to the server. */
  env: Record<string, string>;
  /** The exact bytes of each request. */
  requests: string[];
  /** Waits for the next request. */
  request(): Promise<unknown>;
}

export const account = { MAR_EMAIL: 'ines@northlight.example', MAR_TOKEN: 's3cret' };

/** The e-mail and the secret that a request carries: `ines@northlight.example:token-s3cret`. */
export function credentialsOf(request = ''): string {
  const [, basic = ''] = /^Authorization: Basic (\S+)\r$/m.exec(request) ?? [];
  return Buffer.from(basic, 'base64').toString();
}

/** A body, the parts of a response, or raw bytes after which the connection closes or stays. */
export type CannedResponse =
  | string
  | { status?: number; headers?: string[]; body?: string }
  | { raw: string; afterwards: 'close' | 'wait' };

/** Responds to reads of assets, which precede a create, and otherwise with the next response. */
export function withAssets(...responses: string[]): (request: string) => string {
  const pending = [...responses];
  return (request) => {
    const [, asset] = /^GET \/api\/assets\/(\S+)/.exec(request) ?? [];
    if (asset !== undefined) return JSON.stringify({ _id: decodeURIComponent(asset) });
    return (pending.length > 1 ? pending.shift() : pending[0]) ?? '{}';
  };
}

/** A service that records every byte. Each request gets the next response; the last one repeats. */
export async function recordingServer(
  ...responses: (CannedResponse | ((request: string) => string))[]
): Promise<RecordingServer> {
  const requests: string[] = [];
  const arrived = new EventEmitter();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      pending += data;
      for (let size = requestSize(pending); size > 0; size = requestSize(pending)) {
        const bytes = Buffer.from(pending);
        const request = bytes.subarray(0, size).toString();
        const next = responses[Math.min(requests.length, responses.length - 1)] ?? '{}';
        const response = typeof next === 'function' ? next(request) : next;
        requests.push(request);
        pending = bytes.subarray(size).toString();
        if (typeof response === 'string' || !('raw' in response)) socket.write(render(response));
        else if (response.afterwards === 'close') socket.end(response.raw);
        else socket.write(response.raw);
        arrived.emit('request');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}/api`;
  return {
    port,
    baseUrl,
    env: { ...account, MAR_BASE_URL: baseUrl },
    requests,
    request: () => once(arrived, 'request'),
  };
}

/** The size of the first request, or 0 if it is not complete. */
function requestSize(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const head = text.slice(0, headEnd + 4);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const size = Buffer.byteLength(head) + length;
  return Buffer.byteLength(text) >= size ? size : 0;
}

function render(response: Exclude<CannedResponse, { raw: string }>): string {
  const {
    status = 200,
    headers = [],
    body = '',
  } = typeof response === 'string' ? { body: response } : response;
  return [
    `HTTP/1.1 ${status} Status`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
}
