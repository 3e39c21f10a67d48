import { connect as connectSocket, type Socket } from 'node:net';
import { systemCode } from '../../errors.ts';
import type { BusAddress } from './address.ts';
import { KeychainFailure } from './failure.ts';

/**
 * What a connection starts with. The kernel tells the bus who we are, so we claim no name: that
 * also works in a user namespace. Nothing is negotiated, so there is no answer to wait for either.
 */
export const introduction = '\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n';
const lineEnd = '\r\n';
const maxLine = 16 * 1024;

/** Connects to the first address at which somebody listens. */
export async function connectFirst(addresses: readonly BusAddress[]) {
  let failure = new KeychainFailure('absent', 'there is no address to try');
  for (const address of addresses) {
    try {
      return { address, socket: await connect(address) };
    } catch (error) {
      if (!(error instanceof KeychainFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Needs no deadline: to connect to a local socket works or fails, and does not wait. */
function connect({ socketPath, text }: BusAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(socketPath);
    const fail = (error: Error) => reject(unreachable(error, text));
    socket.once('error', fail);
    socket.once('connect', () => resolve(socket.off('error', fail)));
  });
}

function unreachable(error: Error, text: string): KeychainFailure {
  const code = systemCode(error);
  // Its queue of connections is full: it listens, and takes none.
  if (code === 'EAGAIN') return new KeychainFailure('silent-bus', text);
  if (code === 'EACCES' || code === 'EPERM') return new KeychainFailure('refused', text);
  return new KeychainFailure('absent', `nothing listens at ${text} (${code ?? error.message})`);
}

/** What follows the bus's answer to the introduction, or undefined while it is not whole. */
export function afterIntroduction(received: Buffer, { text }: BusAddress): Buffer | undefined {
  let start = 0;
  for (;;) {
    const end = received.indexOf(lineEnd, start);
    if (end < 0) break;
    const line = received.toString('latin1', start, end);
    start = end + lineEnd.length;
    if (line.startsWith('OK ')) return received.subarray(start);
    if (line.startsWith('REJECTED') || line.startsWith('ERROR'))
      throw new KeychainFailure('refused', text);
    // An empty challenge, which the introduction has answered.
    if (line !== 'DATA') throw new KeychainFailure('broken', 'what it sent is not D-Bus');
  }
  if (received.length > maxLine) throw new KeychainFailure('broken', 'what it sent is not D-Bus');
  return undefined;
}
