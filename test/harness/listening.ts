import { once } from 'node:events';
import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { account } from './recordingServer.ts';

/** Makes a server listen until the test ends. `env` points mar to it. */
export async function listening(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}/api`;
  return { baseUrl, env: { ...account, MAR_BASE_URL: baseUrl }, close };
}
