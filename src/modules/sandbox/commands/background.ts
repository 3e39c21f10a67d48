import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type ErrorKind,
  MarError,
  orUndefined,
  runHint,
  usageError,
} from '../../../core/errors.ts';
import { withRegularFile } from '../../../core/files/regularFile.ts';
import { type Input, optionKey } from '../../../core/input.ts';
import type { Context } from '../../../core/session/context.ts';
import { commandLine, words } from '../../../core/values/commandLine.ts';
import { withoutTokens } from '../../../core/values/environment.ts';
import type { World } from '../../../core/world.ts';
import { runningSandbox } from '../control/runningSandbox.ts';
import { makeDataFolder } from '../store/dataFolder.ts';
import { announce } from './announce.ts';
import { dataFolderOf } from './dataFolder.ts';
import { saveSandboxLogin } from './login.ts';

/** A sandbox that is running already cannot take these. */
const startFlags = ['--reset', '--seed', '--service', '--fault'];

/** Starts the sandbox as a process of its own, unless it is running, and returns when it answers. */
export async function* startInBackground(context: Context, input: Input, profile?: string) {
  const dataDir = dataFolderOf(context.session, input);
  const before = await runningSandbox(dataDir);
  const log = path.join(dataDir, 'sandbox.log');
  if (!before) {
    await makeDataFolder(dataDir);
    // It prints JSON. Logging in is left to this process.
    const values = input.given.filter(({ name }) => name !== 'data');
    const flags = values.map(({ name, value }) => `--${name}=${value}`);
    if (input.options.reset) flags.push('--reset');
    const args = ['sandbox', '--json', '--data', dataDir, ...flags];
    await spawnSandbox(context.world, args, log);
  } else if (startFlags.some((flag) => input.options[optionKey(flag)] !== undefined)) {
    throw usageError(`the sandbox is already running at ${before.status.baseUrl}`, [
      runHint('To start over', words`mar sandbox reset`),
      { text: 'To start it with other flags, first run:', command: words`mar sandbox stop` },
    ]);
  }
  const sandbox = before ?? (await runningSandbox(dataDir));
  if (!sandbox) throw startError(log);
  if (profile) {
    const { tokenFile } = await sandbox.ask<{ tokenFile: string }>('POST', 'login');
    await saveSandboxLogin(context, profile, sandbox.status, tokenFile);
  }
  yield* announce(context, sandbox.status, runningLines(input), profile);
}

/** How a sandbox that this process does not run is stopped. */
export const runningLines = ({ options: { data } }: Input) => [
  'The sandbox is running.',
  data === undefined
    ? 'To stop it, run: mar sandbox stop'
    : commandLine`To stop it, run: mar sandbox stop --data ${String(data)}`,
];

async function spawnSandbox(world: World, args: readonly string[], log: string) {
  const [file, ...before] = world.program;
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW;
  const child: ChildProcess = withRegularFile(log, flags, (descriptor) =>
    spawn(file, [...before, ...args], {
      env: withoutTokens(world.env),
      stdio: ['ignore', 'pipe', descriptor],
      // A group of its own: Ctrl-C in this terminal does not reach it.
      detached: true,
      windowsHide: true,
    }),
  );
  const { stdout } = child;
  if (!stdout) throw new Error('no standard output');
  // It may be too busy with its records to react to another signal.
  const abort = () => child.kill('SIGKILL');
  world.signal.addEventListener('abort', abort);
  try {
    const isReady = await Promise.race([
      once(stdout, 'data').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    world.signal.throwIfAborted();
    if (!isReady) throw startError(log);
  } finally {
    world.signal.removeEventListener('abort', abort);
    stdout.destroy();
    child.unref();
  }
}

/** The error that the process wrote to its log, as a line of JSON. */
function startError(log: string): MarError {
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  const { kind, message, hint } = orUndefined(() => JSON.parse(last).error) ?? {
    kind: 'service',
    message: 'the sandbox did not start',
    hint: `See its log: ${log}`,
  };
  return new MarError(kind as ErrorKind, message, { hint });
}
