import { connect as connectSocket, type Socket } from 'node:net';
import { systemCode } from '../../errors.ts';
import type { BusAddress } from './address.ts';
import { BusFailure } from './failure.ts';

/** The kernel tells the bus who we are, so we claim no name: that also works in a user namespace. */
const introduction = '\0AUTH EXTERNAL\r\nDATA\r\n';
const lineEnd = '\r\n';
const maxLine = 16 * 1024;

/** A socket on which the bus at the address is ready for messages. */
export function connect({ socketPath, text }: BusAddress, endsAt: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(socketPath);
    let received = '';
    let connected = false;

    const fail = (failure: BusFailure) => {
      release();
      socket.on('error', () => {});
      socket.destroy();
      reject(failure);
    };
    const onConnect = () => {
      connected = true;
      socket.write(introduction);
    };
    const onData = (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const lines = received.split(lineEnd);
      received = lines.pop() ?? '';
      for (const line of lines) {
        if (/^OK\b/.test(line)) return accept();
        // An empty challenge, which the introduction has answered.
        if (/^DATA\b/.test(line)) continue;
        if (/^(REJECTED|ERROR)\b/.test(line)) return fail(new BusFailure('refused', text));
        return fail(new BusFailure('broken', 'what it sent is not D-Bus'));
      }
      if (received.length > maxLine) fail(new BusFailure('broken', 'what it sent is not D-Bus'));
    };
    const accept = () => {
      release();
      socket.write(`BEGIN${lineEnd}`);
      resolve(socket);
    };
    const onError = (error: Error) => fail(connected ? broken(error) : unreachable(error, text));
    const onClose = () => fail(new BusFailure('broken', 'it closed the connection'));
    const deadline = setTimeout(
      () => fail(new BusFailure('silent-bus', text)),
      endsAt - performance.now(),
    );
    const release = () => {
      clearTimeout(deadline);
      socket.off('connect', onConnect).off('data', onData).off('error', onError);
      socket.off('close', onClose);
    };
    socket.on('connect', onConnect).on('data', onData).on('error', onError).on('close', onClose);
  });
}

const broken = (error: Error) => new BusFailure('broken', error.message);

function unreachable(error: Error, text: string): BusFailure {
  const code = systemCode(error);
  // Its queue of connections is full: it listens, and takes none.
  if (code === 'EAGAIN') return new BusFailure('silent-bus', text);
  if (code === 'EACCES' || code === 'EPERM') return new BusFailure('refused', text);
  return new BusFailure('absent', `nothing listens at ${text} (${code ?? error.message})`);
}
