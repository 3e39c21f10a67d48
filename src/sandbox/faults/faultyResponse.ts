import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/* How a response fails on its way. The client may disconnect at any time, which ends all of it. */

/** Resolves when the connection is closed. */
export const whenClosed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed || response.destroyed) resolve();
    else response.on('close', resolve);
  });

/** Whether the client still waits after this time. */
export async function waitsFor(ms: number, response: ServerResponse): Promise<boolean> {
  const closed = new AbortController();
  const onClose = () => closed.abort();
  response.on('close', onClose);
  if (response.destroyed) onClose();
  try {
    await pause(ms, undefined, { signal: closed.signal });
    return true;
  } catch {
    return false;
  } finally {
    response.off('close', onClose);
  }
}

/** Ends the connection with a TCP reset. */
export function resetConnection({ req: { socket } }: ServerResponse): void {
  socket.resetAndDestroy();
}

/** Sends half of the body, although the headers announce all of it, and closes. */
export function sendHalf(response: ServerResponse, body: Buffer): void {
  response.write(body.subarray(0, Math.floor(body.length / 2)), () =>
    response.req.socket.destroySoon(),
  );
}

const maxPieces = 50;

/** Sends the body in small pieces, evenly over this time. */
export async function sendSlowly(response: ServerResponse, body: Buffer, ms: number) {
  const pieces = Math.max(1, Math.min(maxPieces, body.length));
  const size = Math.ceil(body.length / pieces);
  response.flushHeaders();
  for (let at = 0; at < body.length; at += size) {
    if (!(await waitsFor(ms / pieces, response))) return;
    response.write(body.subarray(at, at + size));
  }
  response.end();
}
