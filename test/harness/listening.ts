import { once } from 'node:events';
import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { account } from './recordingServer.ts';

/** Lets a service listen until the test ends, and gives what `mar` needs to find it. */
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
