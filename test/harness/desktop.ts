import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { systemCode } from '../../src/core/errors.ts';
import { temporaryFolder } from './mar.ts';
import {
  cleanEnvironment,
  type RunningSandbox,
  runProgram,
  startSandboxProgram,
} from './program.ts';

const secrets = '/org/freedesktop/secrets';
const keyring = `${secrets}/collection/login`;
const unlocked = 'printf pw | gnome-keyring-daemon --foreground --unlock --components=secrets';

interface Desktop {
  env: Record<string, string>;
  /** The process that provides the keychain. */
  pid: number;
}

/** A home folder, an empty environment around it, and a service to log in to. */
export async function openHome() {
  const folder = temporaryFolder();
  const runtime = temporaryFolder();
  const { DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS, ...env } = cleanEnvironment(folder, {
    // Node keeps what it compiled there: nothing that a keychain has to do with.
    TMPDIR: temporaryFolder(),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_CONFIG_HOME: path.join(folder, 'xdg'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    XDG_RUNTIME_DIR: runtime,
  }) as Record<string, string>;
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  return { folder, env, sandbox };
}

function endGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** A session bus of its own, on which `command` provides the keychain. */
export async function openDesktop(
  env: Record<string, string>,
  command = unlocked,
): Promise<Desktop> {
  const script = `${command} & echo "$! $DBUS_SESSION_BUS_ADDRESS"; wait`;
  const session = spawn('dbus-run-session', ['--', 'bash', '-c', script], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: session.stdout }), 'line');
  const [pid = '', address = ''] = String(line).split(' ');
  onTestFinished(() => {
    // Without its keychain, the session ends by itself.
    if (!session.pid || session.exitCode !== null) return;
    // A process that a test has stopped ends when it continues.
    for (const signal of ['SIGTERM', 'SIGCONT'] as const) endGroup(session.pid, signal);
  });
  const desktop = { env: { ...env, DBUS_SESSION_BUS_ADDRESS: address }, pid: Number(pid) };
  if (command === unlocked) {
    const owned = () =>
      call(desktop, 'org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner', [
        'string:org.freedesktop.secrets',
      ]);
    await expect.poll(owned).toContain('boolean true');
  }
  return desktop;
}

const call = ({ env }: Desktop, to: string, object: string, method: string, args: string[]) =>
  execFileSync(
    'dbus-send',
    ['--session', '--print-reply', `--dest=${to}`, object, method, ...args],
    { env, encoding: 'utf8' },
  );

export const lock = (desktop: Desktop) =>
  call(desktop, 'org.freedesktop.secrets', secrets, 'org.freedesktop.Secret.Service.Lock', [
    `array:objpath:${keyring}`,
  ]);

export const loginLine = ({ baseUrl, email }: RunningSandbox) => [
  'login',
  '--base-url',
  baseUrl,
  '--email',
  email,
  '--password-stdin',
];

/** Logs in: again if the keychain took longer than `mar` waits, as it may on a busy machine. */
export async function logIn(env: NodeJS.ProcessEnv, sandbox: RunningSandbox): Promise<void> {
  const login = () => runProgram(loginLine(sandbox), env, sandbox.password);
  await expect.poll(login).toMatchObject({ code: 0 });
}
