import { spawn } from 'node:child_process';
import { MarError, usageError } from '../errors.ts';
import { readReason } from '../files/systemReason.ts';
import { splitCommand } from '../values/commandLine.ts';
import type { Environment } from '../values/environment.ts';
import { withoutTokens } from '../values/environment.ts';
import { cleanToken } from './identity.ts';

export interface CommandHost {
  env: Environment;
  platform: NodeJS.Platform;
  signal: AbortSignal;
  /** Ends a process and the others of its group. */
  killGroup(id: number): void;
}

const limitMs = 3000;
const maxOutputBytes = 64 * 1024;
/** A background process may keep the pipe open after the command has ended. */
const lastBytesMs = 200;

/** Runs the command without a shell and returns the token. Never prints its output. */
export async function runTokenCommand(command: string, host: CommandHost): Promise<string> {
  const [program = '', ...args] = parseTokenCommand(command);
  const name = `the token-command (${program})`;
  const output = await outputOf(name, [program, args], host);
  try {
    return cleanToken(output, `the output of ${name}`);
  } catch (error) {
    throw error instanceof MarError ? failure(error.message) : error;
  }
}

export function parseTokenCommand(command: string): readonly string[] {
  const words = splitCommand(command);
  if (words?.[0] && !/\p{Cc}/u.test(command)) return words;
  throw usageError(
    'token-command: expected a program and its arguments',
    "Close each quote. For example: op read 'op://Work/media service/token'",
  );
}

const failure = (message: string) =>
  new MarError('credential-store', message, {
    hint: 'mar does not show its output, because it may contain the token. To see what is wrong, run the command yourself.',
  });

async function outputOf(
  name: string,
  [program, args]: readonly [program: string, args: readonly string[]],
  { env, platform, signal, killGroup }: CommandHost,
): Promise<string> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: withoutTokens(env),
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own, so that its processes can be ended. A process with its own session escapes.
      detached: platform !== 'win32',
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let lastBytes: NodeJS.Timeout | undefined;
    const release = () => {
      clearTimeout(deadline);
      clearTimeout(lastBytes);
      signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      child.unref();
    };
    const stop = (reason: unknown) => {
      if (child.pid !== undefined) killGroup(child.pid);
      release();
      reject(reason);
    };
    const end = (code: number | null, killedBy: NodeJS.Signals | null) => {
      release();
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else
        fail(killedBy ? `was stopped by the signal ${killedBy}` : `failed with exit code ${code}`);
    };
    const fail = (reason: string) => stop(failure(`${name} ${reason}`));
    const abort = () => stop(signal.reason);
    const deadline = setTimeout(() => fail(`took longer than ${limitMs / 1000} s`), limitMs);
    signal.addEventListener('abort', abort);
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxOutputBytes) fail('printed too much for a token');
    });
    child.on('error', (error) => fail(`cannot be started: ${readReason(error)}`));
    child.on('exit', (code, killedBy) => {
      lastBytes = setTimeout(() => end(code, killedBy), lastBytesMs);
    });
    child.on('close', end);
  });
}
