import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MarError, systemCode, usageError } from '../errors.ts';
import { readReason } from '../files/systemReason.ts';
import { splitCommand } from '../values/commandLine.ts';
import { type Environment, withoutTokens } from '../values/environment.ts';
import { cleanToken } from './identity.ts';

export interface CommandHost {
  env: Environment;
  signal: AbortSignal;
}

const limitMs = 3000;
const maxOutputBytes = 64 * 1024;

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
  { env, signal }: CommandHost,
): Promise<string> {
  signal.throwIfAborted();
  const running = promisify(execFile)(program, args, {
    env: withoutTokens(env),
    signal,
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
    windowsHide: true,
  });
  running.child.stdin?.end();
  try {
    return (await running).stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw failure(`${name} ${problemOf(error as ExecFileException)}`);
  }
}

function problemOf(error: ExecFileException): string {
  const { code, killed, signal } = error;
  if (systemCode(error) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return 'printed too much for a token';
  }
  if (killed) return `took longer than ${limitMs / 1000} s`;
  if (signal) return `was stopped by the signal ${signal}`;
  if (typeof code === 'number') return `failed with exit code ${code}`;
  return `cannot be started: ${readReason(error)}`;
}
