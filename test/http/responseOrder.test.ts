import { expect, it } from 'vitest';
import {
  type Fault,
  faultyServer,
  fullResponse,
  hangUp,
  responseHead,
  send as sendBytes,
} from '../harness/faultyServer.ts';
import { testTransport } from '../harness/transport.ts';

async function openService(statuses: readonly string[] = []) {
  const server = await faultyServer((socket) => {
    const count = server.requests.length;
    socket.write(fullResponse(`{"_id":"real-${count}"}`, { status: statuses[count - 1] }));
  });
  const transport = testTransport();
  const send = async (method: string) => {
    const url = new URL(`http://127.0.0.1:${server.port}/api/workrequests`);
    const body = method === 'POST' ? '{}' : undefined;
    const response = await transport.send({
      method,
      isRead: method === 'GET',
      url,
      headers: {},
      body,
    });
    return response.body.toString();
  };
  return { server, transport, send };
}

/*
 * The server shares the event loop: what it writes right before a request is sent is at the other
 * end by then, and has not been read.
 */
it.each<[method: string, place: string, spoil: Fault]>(
  ['GET', 'POST'].flatMap((method) => [
    [method, 'where bytes are waiting', sendBytes(fullResponse('{"_id":"unrequested"}'))],
    [method, 'to a connection that was closed', hangUp],
  ]),
)('a %s is not written %s', async (method, _place, spoil) => {
  const { server, send } = await openService();
  expect(await send(method)).toBe('{"_id":"real-1"}');
  for (const socket of server.connections) spoil(socket);
  expect(await send(method)).toBe('{"_id":"real-2"}');
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toHaveLength(2);
});

it('no connection is used twice after responses came out of step', async () => {
  const { server, send } = await openService();
  await send('GET');
  server.connections[0]?.write(fullResponse('{"_id":"unrequested"}'));
  for (const _ of [2, 3, 4]) await send('GET');
  expect(server.connections).toHaveLength(4);
  expect(server.requests[3]).toMatch(/^connection: close\r$/im);
});

it('a connection is kept after a success, and not after a refusal', async () => {
  const statuses = ['200 OK', '200 OK', '422 Refused', '200 OK'];
  const { server, send } = await openService(statuses);
  for (const _ of statuses) await send('POST');
  expect(server.connections).toHaveLength(2);
});

it('the announcement that an idle connection is closed does no harm', async () => {
  const { server, send } = await openService();
  await send('POST');
  const closing = responseHead({ status: '408 Request Timeout', headers: ['Connection: close'] });
  server.connections[0]?.end(closing);
  for (const row of [2, 3, 4]) expect(await send('POST')).toBe(`{"_id":"real-${row}"}`);
  expect(server.connections).toHaveLength(2);
});

it('useNewConnections holds for a request that waits for a kept connection, and for all after it', async () => {
  const { server, transport, send } = await openService();
  await send('POST');
  const waiting = send('POST');
  transport.useNewConnections();
  await waiting;
  await send('POST');
  expect(server.connections).toHaveLength(3);
  expect(server.requests[2]).toMatch(/^connection: close\r$/im);
});
