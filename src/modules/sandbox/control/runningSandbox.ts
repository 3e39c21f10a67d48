import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ErrorKind,
  MarError,
  orUndefined,
  runHint,
  systemCode,
  usageError,
} from '../../../core/errors.ts';
import { readRegularFile } from '../../../core/files/regularFile.ts';
import { words } from '../../../core/values/commandLine.ts';
import { type SandboxState, stateFileOf } from '../constants.ts';
import type { SandboxStatus } from '../start.ts';

const maxResponseMs = 30_000;
const maxStoppingMs = 10_000;
const pollMs = 50;

/** The errors for what the sandbox refuses, by status. With another one, it failed. */
const refusals: Readonly<Record<number, ErrorKind>> = {
  400: 'usage',
  401: 'auth',
  409: 'refused',
  412: 'changed',
};

/** Nothing listens there any more, or another sandbox does, which does not know the secret. */
const isGone = (error: unknown) =>
  error instanceof MarError &&
  (error.kind === 'auth' || systemCode(error.cause) === 'ECONNREFUSED');

/** A sandbox in another process, found through its data folder. */
function sandboxAt(dataDir: string, state: SandboxState) {
  const { baseUrl, pid, secret } = state;
  const silent = (cause?: unknown) => {
    const message = `the sandbox at ${baseUrl} uses the folder ${dataDir}, but does not respond`;
    const hint = `Wait and try again, or end it yourself${pid ? ` (process ${pid})` : ''}.`;
    return new MarError('service', message, { hint, cause });
  };
  /** Sends a control request and returns the parsed body of the response. */
  async function ask<Body>(method: 'GET' | 'POST' | 'PUT', action: string, content?: object) {
    const url = new URL(`/_sandbox/${action}`, baseUrl);
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const signal = AbortSignal.timeout(maxResponseMs);
    try {
      const sent = request(url, { method, headers, signal, agent: false });
      sent.end(content && JSON.stringify(content));
      // For errors after the response has started, which the response reports as well.
      sent.on('error', () => {});
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await json(response);
      if (response.statusCode === 200) return body as Body;
      const { message } = (body as { error: { message: string } }).error;
      throw new MarError(refusals[response.statusCode ?? 0] ?? 'service', message);
    } catch (error) {
      throw error instanceof MarError ? error : silent(error);
    }
  }
  return {
    ask,
    /** Ends it through its own server: an id of a process may belong to another one by now. */
    async stop(): Promise<void> {
      await ask('POST', 'stop');
      const deadline = Date.now() + maxStoppingMs;
      while (existsSync(stateFileOf(dataDir))) {
        if (Date.now() > deadline) throw silent();
        await delay(pollMs);
      }
    },
  };
}

/** The sandbox that uses a folder, with its status. Undefined if none runs, also after it was killed. */
export async function runningSandbox(dataDir: string) {
  const text = orUndefined(() => readRegularFile(stateFileOf(dataDir)).toString('utf8'));
  if (text === undefined) return undefined;
  const sandbox = sandboxAt(dataDir, JSON.parse(text));
  try {
    return { ...sandbox, status: await sandbox.ask<SandboxStatus>('GET', 'status') };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** For a command that needs it. */
export async function findRunning(dataDir: string) {
  const sandbox = await runningSandbox(dataDir);
  if (sandbox) return sandbox;
  throw usageError(
    'the sandbox is not running',
    runHint('To start it', words`mar sandbox --background --login`),
  );
}
