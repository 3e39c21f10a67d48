import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
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
    ...more,
  };
}

export function startProgram(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  [file, ...before] = program,
): ChildProcess {
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
  let stdout = '';
  let stderr = '';
  // A chunk may end in the middle of a character.
  child.stdout?.setEncoding('utf8');
  child.stderr?.setEncoding('utf8');
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  child.stdin?.end(stdin);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

export interface RunningSandbox {
  child: ChildProcess;
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
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  if (!child.stdout) throw new Error('no standard output');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(stderr)));
  const [line] = await Promise.race([ready, ended]);
  return { child, ...JSON.parse(line) };
}
