import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Outcome } from './mar.ts';

const installed = fileURLToPath(new URL('../../bin/mar.js', import.meta.url));

/** The command that starts the built program; with `npm run test:binary`, the one-file program. */
export const program: readonly [string, ...string[]] = process.env.MAR_TEST_PROGRAM
  ? [path.resolve(process.env.MAR_TEST_PROGRAM)]
  : [process.execPath, installed];

/** An environment without the developer's own login, proxies and certificates. */
export function cleanEnvironment(folder: string, more: Record<string, string> = {}) {
  const excluded = /^MAR_|_proxy$|^SSL_CERT_|^NODE_/i;
  const inherited = Object.entries(process.env).filter(([name]) => !excluded.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: folder,
    MAR_CONFIG_DIR: path.join(folder, 'config'),
    MAR_STATE_DIR: path.join(folder, 'state'),
    MAR_CACHE_DIR: fileURLToPath(new URL('../../node_modules/.cache/mar', import.meta.url)),
    // Otherwise, each order with a token from the environment is warned of.
    ...(more.MAR_TOKEN !== undefined && { MAR_LOG: 'off' }),
    ...more,
  };
}

export function startProgram(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  [file, ...before] = program,
): ChildProcessWithoutNullStreams {
  const child = spawn(file, [...before, ...argv], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

export async function runProgram(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  stdin = '',
  which = program,
): Promise<Outcome> {
  const child = startProgram(argv, env, which);
  child.stdin.end(stdin);
  return outcomeOf(child);
}

/** Waits for the end of a program. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const printed = [text(child.stdout), text(child.stderr)] as const;
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), ...printed]);
  return { code, stdout, stderr };
}

export interface RunningSandbox {
  child: ChildProcessWithoutNullStreams;
  baseUrl: string;
  email: string;
  password: string;
  dataDir: string;
}

/** Starts `mar sandbox --json` on a free port, which no other test had before, and waits until it is ready. */
export async function startSandboxProgram(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  which = program,
): Promise<RunningSandbox> {
  const port = argv.includes('--port') ? [] : ['--port', '0'];
  const child = startProgram(['sandbox', '--json', ...port, ...argv], env, which);
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(stderr)));
  const [line] = await Promise.race([ready, ended]);
  return { child, ...JSON.parse(line) };
}

/** Logs in to a service with the password of an account, which must succeed. */
export async function logInTo(
  { baseUrl, email, password }: Pick<RunningSandbox, 'baseUrl' | 'email' | 'password'>,
  env: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
  which = program,
): Promise<void> {
  const account = ['--base-url', baseUrl, '--email', email, '--password-stdin'];
  const argv = ['login', ...account, '--insecure-storage', ...flags];
  const { code, stderr } = await runProgram(argv, env, password, which);
  if (code !== 0) throw new Error(stderr);
}
