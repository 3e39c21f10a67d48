import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { program } from '../harness/program.ts';
import { account } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';

/** A separate address, so that nothing else is affected. */
const nameServer = '127.0.0.153';

/** Only root may serve names, and see other files than the rest of the machine does. */
function isPossible(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** The program on a machine whose name server never answers. */
async function startWithoutNames(argv: readonly string[]) {
  const socket = createSocket('udp4').bind(53, nameServer);
  await once(socket, 'listening');
  let queries = 0;
  socket.on('message', () => {
    queries += 1;
  });
  const resolver = path.join(temporaryFolder(), 'resolv.conf');
  writeFileSync(resolver, `nameserver ${nameServer}\n`);
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, resolver, ...program, ...argv], {
    env: isolated({ ...account, MAR_BASE_URL: 'https://media.example/api' }),
    stdio: 'ignore',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    socket.close();
  });
  await once(socket, 'message');
  return { child, queries: () => queries };
}

describe.skipIf(!isPossible() && !process.env.CI)('a name that nobody looks up', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('does not hold up %s', async (signal) => {
    const { child, queries } = await startWithoutNames(['asset', 'get', 'a-1001']);
    child.kill(signal);
    // To a shell, which knows no other end by a signal, this is 130 or 143.
    expect(await once(child, 'exit')).toEqual([null, signal]);
    // For both kinds of addresses; it would be asked again after five seconds.
    expect(queries()).toBeLessThanOrEqual(2);
  });
});
