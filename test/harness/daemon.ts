import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server program, waits for the `ready` text on stderr, and stops it after the test. */
export async function startDaemon(
  command: string,
  argv: readonly string[],
  ready: string,
  signal: NodeJS.Signals,
): Promise<void> {
  const daemon = spawn(command, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(daemon, 'exit');
  onTestFinished(async () => {
    daemon.kill(signal);
    await ended;
  });
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    daemon.stderr.on('data', (data) => {
      stderr += data;
      if (stderr.includes(ready)) resolve();
    });
    ended.then(() => reject(new Error(`${command} ended early:\n${stderr}`)), reject);
  });
}

/** The lines of a log. Empty if the log does not exist yet. */
export const linesOf = (log: string) =>
  existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
