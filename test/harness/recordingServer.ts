import { EventEmitter, once } from 'node:events';
import {
  type Fault,
  type FaultyServer,
  faultyServer,
  respond,
  send,
  sendAndClose,
} from './faultyServer.ts';

export { account } from './faultyServer.ts';

export interface RecordingServer extends FaultyServer {
  /** Waits for the next request. */
  request(): Promise<unknown>;
}

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
  const arrived = new EventEmitter();
  const all = responses.length > 0 ? responses : ['{}'];
  const server: FaultyServer = await faultyServer(
    all.map((next) => (socket) => {
      const [request = ''] = server.requests.slice(-1);
      faultOf(typeof next === 'function' ? next(request) : next)(socket);
      arrived.emit('request');
    }),
  );
  return Object.assign(server, { request: () => once(arrived, 'request') });
}

function faultOf(response: CannedResponse): Fault {
  if (typeof response === 'string') return respond(response);
  if ('raw' in response) {
    return response.afterwards === 'close' ? sendAndClose(response.raw) : send(response.raw);
  }
  const { status = 200, headers, body = '' } = response;
  return respond(body, { status: `${status} Status`, headers });
}
