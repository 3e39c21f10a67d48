import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Redactor } from '../../src/http/redact.ts';
import { createTransport } from '../../src/http/transport.ts';
import { faultyServer, fullResponse } from '../harness/faultyServer.ts';

async function openService() {
  const server = await faultyServer((socket: Socket) => {
    socket.write(fullResponse(`{"_id":"real-${server.requests.length}"}`));
  });
  const transport = createTransport({
    env: {},
    timeoutMs: 10_000,
    maxBodyBytes: 1_000_000,
    retries: 0,
    redactor: new Redactor(),
    baseUrlName: 'the base URL',
  });
  onTestFinished(() => transport.close());
  const send = async (method: string) => {
    const url = new URL(`http://127.0.0.1:${server.port}/api/workrequests`);
    const body = method === 'POST' ? '{}' : undefined;
    const response = await transport.send({ method, url, headers: {}, body });
    return response.body.toString();
  };
  return { server, send };
}

/*
 * The server shares the event loop: what it writes right before a request is sent is at the other
 * end by then, and has not been read.
 */
it.each(['GET', 'POST'])('a %s is not written where bytes are waiting', async (method) => {
  const { server, send } = await openService();
  expect(await send(method)).toBe('{"_id":"real-1"}');
  server.connections[0]?.write(fullResponse('{"_id":"unrequested"}'));
  expect(await send(method)).toBe('{"_id":"real-2"}');
  expect(server.requests).toHaveLength(2);
  expect(server.connections).toHaveLength(2);
});

it.each(['GET', 'POST'])('a %s is not written to a connection that was closed', async (method) => {
  const { server, send } = await openService();
  expect(await send(method)).toBe('{"_id":"real-1"}');
  server.connections[0]?.end();
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
