import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Context } from '../../context.ts';
import { type ErrorKind, MarError } from '../../errors.ts';
import { withRegularFile } from '../../files/regularFile.ts';
import { withoutTokens } from '../../json/secrets.ts';
import { runningSandbox } from '../../sandbox/control/runningSandbox.ts';
import { makeDataFolder } from '../../sandbox/store/dataFolder.ts';
import type { ExampleIds } from '../../sandbox/store/recordStore.ts';
import { commandLine } from '../../values/commandLine.ts';
import { type Input, optionKey } from '../command.ts';
import { reportOverrides } from '../login.ts';
import { exampleLines, saveSandboxLogin } from './login.ts';
import { openPage, pageUrl } from './page.ts';

interface Ready {
  baseUrl: string;
  email: string;
  password?: string;
  profile?: string;
  examples: ExampleIds;
}

/** A sandbox that is running already cannot take these. */
const startFlags = ['--reset', '--seed', '--fault', '--fault-seed', '--rate-limit'];

/** Starts the sandbox as a process of its own, and returns when it answers. */
export async function startInBackground(
  context: Context,
  input: Input,
  dataDir: string,
): Promise<void> {
  const running = await runningSandbox(dataDir);
  if (running) {
    if (startFlags.some((flag) => input.options[optionKey(flag)] !== undefined)) {
      throw new MarError('usage', `the sandbox is already running at ${running.state.baseUrl}`, {
        hint: 'To start over, run mar sandbox reset. To start it with other flags, run mar sandbox stop first.',
      });
    }
    const { email, examples } = await running.ask<Ready>('GET', 'status');
    const ready = { baseUrl: running.state.baseUrl, email, examples };
    const profile = input.options.login ? (context.flags.profile ?? 'sandbox') : undefined;
    if (profile) {
      const { tokenFile } = await running.ask<{ tokenFile: string }>('POST', 'login');
      await saveSandboxLogin(context, profile, ready, tokenFile);
    }
    await announce(context, { ...ready, profile }, { dataDir, pid: running.state.pid });
    return openPage(context, input, ready);
  }
  await makeDataFolder(dataDir);
  const log = path.join(dataDir, 'sandbox.log');
  const { child, ready } = await spawnSandbox(context, argumentsOf(context, input, dataDir), log);
  await announce(context, ready, { dataDir, pid: child.pid, log });
  await openPage(context, input, ready);
}

function argumentsOf({ flags: { profile } }: Context, input: Input, dataDir: string): string[] {
  const values = input.given.filter(({ name }) => name !== 'data');
  const switches = ['--login', '--reset'].filter((flag) => input.options[optionKey(flag)]);
  return [
    ...['sandbox', '--json', '--data', dataDir],
    ...values.map(({ name, value }) => `--${name}=${value}`),
    ...switches,
    ...(profile === undefined ? [] : ['--profile', profile]),
  ];
}

async function spawnSandbox({ world }: Context, args: readonly string[], log: string) {
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
  const lines = createInterface({ input: stdout });
  try {
    const line = await Promise.race([
      once(lines, 'line').then(([first]) => String(first)),
      once(child, 'exit').then(() => undefined),
      once(child, 'error').then(([error]) => Promise.reject(error)),
    ]);
    world.signal.throwIfAborted();
    if (line === undefined) throw startError(log);
    return { child, ready: JSON.parse(line) as Ready };
  } finally {
    world.signal.removeEventListener('abort', abort);
    lines.close();
    stdout.destroy();
    child.unref();
  }
}

/** The error that the process wrote to its log, as a line of JSON. */
function startError(log: string): MarError {
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '';
  try {
    const { kind, message, hint } = JSON.parse(last).error;
    return new MarError(kind as ErrorKind, message, { hint });
  } catch {
    return new MarError('service', 'the sandbox did not start', { hint: `See its log: ${log}` });
  }
}

async function announce(
  context: Context,
  { baseUrl, email, password, profile, examples }: Ready,
  { dataDir, pid, log }: { dataDir: string; pid?: number; log?: string },
): Promise<void> {
  const state = log ? 'The sandbox is running in the background' : 'The sandbox is already running';
  const stop = 'mar sandbox stop';
  const isDefault = dataDir === path.join(context.folders.state, 'sandbox');
  const example = profile && commandLine`mar today --profile ${profile}`;
  await context.printer.outcome(
    { baseUrl, email, password, dataDir, profile, pid, log, examples },
    [
      `${state}: ${baseUrl}`,
      `Its page: ${pageUrl({ baseUrl })}`,
      ...(profile ? [`Profile "${profile}" is logged in as ${email}.`, `Try: ${example}`] : []),
      ...exampleLines(examples),
      `To stop it, run: ${isDefault ? stop : commandLine`mar sandbox stop --data ${dataDir}`}`,
    ].join('\n'),
  );
  if (profile) reportOverrides(context, profile);
}
