import { expect, it } from 'vitest';
import {
  type Fault,
  faultyServer,
  fullResponse,
  hangUp,
  reset,
  send as sendBytes,
} from '../../harness/faultyServer.ts';
import { closed, failureOf, testTransport } from '../../harness/transport.ts';

/** A service that counts its responses. The faults take the place of the first ones. */
async function openService(faults: Readonly<Record<number, Fault>> = {}) {
  const server = await faultyServer((socket) => {
    const count = server.requests.length;
    const respond = sendBytes(fullResponse(`{"_id":"real-${count}"}`));
    (faults[count] ?? respond)(socket);
  });
  const transport = testTransport();
  const url = new URL(`${server.baseUrl}/workrequests`);
  const send = async (method: string) => {
    const isRead = method === 'GET';
    const body = isRead ? undefined : '{}';
    const response = await transport.send({ method, isRead, url, headers: {}, body });
    return response.body.toString();
  };
  return { server, send };
}

const unrequested = sendBytes(fullResponse('{"_id":"unrequested"}'));

it('a connection is kept, also after a refusal', async () => {
  const refuse = sendBytes(fullResponse('{}', { status: '422 Refused' }));
  const { server, send } = await openService({ 1: refuse });
  for (const _ of [1, 2, 3]) await send('POST');
  expect(server.requests).toHaveLength(3);
  expect(server.connections).toHaveLength(1);
});

it('reads and writes do not share connections', async () => {
  const { server, send } = await openService();
  for (const method of ['GET', 'POST', 'GET', 'POST']) await send(method);
  expect(server.connections).toHaveLength(2);
});

/*
 * The server shares the event loop: what it writes right before a request is sent is at the other
 * end by then, and has not been read.
 */
it.each<[method: string, place: string, spoil: Fault]>(
  ['GET', 'POST'].flatMap((method) => [
    [method, 'where a response is waiting', unrequested],
    [method, 'where half a response is waiting', sendBytes('HTTP/1.1 200 OK\r\nContent-Le')],
    [method, 'where an empty line is waiting', sendBytes('\r\n')],
    [method, 'to a connection that was closed', hangUp],
    [method, 'to a connection that was reset', reset],
  ]),
)('a %s is not written %s', async (method, _place, spoil) => {
  const { server, send } = await openService();
  expect(await send(method)).toBe('{"_id":"real-1"}');
  for (const socket of server.connections) spoil(socket);
  expect(await send(method)).toBe('{"_id":"real-2"}');
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toHaveLength(2);
});

it.each<[name: string, fault: Fault]>([
  ['closed', hangUp],
  ['reset', reset],
])('a write has an unknown outcome if its kept connection is %s after it', async (_name, fault) => {
  const { server, send } = await openService({ 2: fault });
  await send('POST');
  expect((await failureOf(send('POST'))).details.outcome).toBe('unknown');
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toHaveLength(1);
});

it('an idle connection is closed before most services would do it, and a slow one is not', async () => {
  const startedAt = performance.now();
  const slow: Fault = (socket) => void setTimeout(() => unrequested(socket), 4500);
  const idle = await openService();
  const busy = await openService({ 1: slow });
  await idle.send('POST');
  const responding = busy.send('POST');
  await closed(idle.server.connections[0]);
  expect(performance.now() - startedAt).toBeGreaterThan(3900);
  expect(await idle.send('POST')).toBe('{"_id":"real-2"}');
  expect(await responding).toBe('{"_id":"unrequested"}');
});
