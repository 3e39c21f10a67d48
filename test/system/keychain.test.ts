import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lock, logIn, loginLine, openDesktop, openHome } from '../harness/desktop.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { type RunningSandbox, runProgram, startProgram } from '../harness/program.ts';
import { writeProfiles } from '../harness/storedAccount.ts';
import { accountWords } from '../words/account.ts';

/** No state of the keychain makes a command take longer by more than this. */
const promisedMs = 3000;

const usernameIn = ({ email, baseUrl }: RunningSandbox) => `${email} ${new URL(baseUrl).origin}`;

/** The secret that another program finds under the entry's names. */
function lookUp(env: NodeJS.ProcessEnv, sandbox: RunningSandbox): string | undefined {
  try {
    const attributes = ['service', 'mar', 'username', usernameIn(sandbox)];
    return execFileSync('secret-tool', ['lookup', ...attributes], { env, encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

function store(env: NodeJS.ProcessEnv, sandbox: RunningSandbox, ...more: string[]): void {
  const attributes = ['service', 'mar', 'username', usernameIn(sandbox), ...more];
  execFileSync('secret-tool', ['store', '--label=mar', ...attributes], { env, input: 'other' });
}

const whoIsThere = ['user', 'list', '--all', '--json'];

/** Keys in the kernel's keyrings, without the keyrings that come and go with processes. */
const kernelKeys = () =>
  readFileSync('/proc/keys', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , , , , , type]) => type !== 'keyring')
    .map(([id, , , , , , , type, description]) => `${id} ${type} ${description}`);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

interface Trouble {
  folder: string;
  env: NodeJS.ProcessEnv;
  sandbox: RunningSandbox;
}

/**
 * Runs the program when the keychain cannot be used: it says so with 10 and these words, in time,
 * and leaves nothing behind in the home folder or in the kernel.
 */
async function expectTrouble(
  { folder, env, sandbox }: Trouble,
  words: string,
  lines = [whoIsThere, loginLine(sandbox), ['logout', '--local']],
) {
  const before = { files: filesIn(folder), keys: kernelKeys() };
  for (const line of lines) {
    const beforeMs = await emptyRunMs();
    const startedAt = performance.now();
    const outcome = await runProgram(line, env, 'password');
    const tookMs = performance.now() - startedAt;
    // Others may use the machine meanwhile.
    const baselineMs = 4 * Math.max(beforeMs, await emptyRunMs());
    expect(outcome).toMatchObject({ code: 10, stdout: '' });
    const said = line.includes('--json') ? JSON.parse(outcome.stderr).error.message : '';
    expect(said || outcome.stderr).toContain(words);
    expect(outcome.stderr).toContain('--insecure-storage');
    expect(outcome.stderr).toContain('MAR_TOKEN');
    expect(tookMs).toBeLessThan(baselineMs + promisedMs);
  }
  expect({ files: filesIn(folder), keys: kernelKeys() }).toEqual(before);
}

/** A profile whose token is in the keychain, as `login` leaves it. */
function writeProfile({ env, sandbox }: Trouble): void {
  const { baseUrl, email } = sandbox;
  writeProfiles(env.MAR_CONFIG_DIR ?? '', { default: { baseUrl, email, store: 'keychain' } });
}

/** How long a program takes that does nothing. */
async function emptyRunMs(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'close');
  return performance.now() - startedAt;
}

describe('a token in gnome-keyring', () => {
  it('is kept at login, read by commands and other programs, and gone after logout', async () => {
    const { folder, env: home, sandbox } = await openHome();
    const { env } = await openDesktop(home);
    const keys = kernelKeys();

    const login = await runProgram([...loginLine(sandbox), '--json'], env, sandbox.password);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    const token = lookUp(env, sandbox);
    expect(token).toMatch(/^\S{8,}$/);
    expect(await runProgram(whoIsThere, env)).toMatchObject({ code: 0, stderr: '' });

    // A second login changes the one entry that there is.
    await logIn(env, sandbox);
    expect(lookUp(env, sandbox)).not.toBe(token);
    expect(await runProgram(whoIsThere, env)).toMatchObject({ code: 0 });

    const grep = spawnSync('grep', ['-rlF', '-e', lookUp(env, sandbox) ?? '', folder]);
    expect(grep.status).toBe(1);
    expect(kernelKeys()).toEqual(keys);

    expect(await runProgram(['logout'], env)).toMatchObject({ code: 0 });
    expect(lookUp(env, sandbox)).toBeUndefined();
    expect(await runProgram(whoIsThere, env)).toMatchObject({ code: 4 });

    // One that another program removed is exit 4 too, and forgotten without a fuss.
    writeProfile({ folder, env, sandbox });
    expect(await runProgram(whoIsThere, env)).toMatchObject({ code: 4 });
    expect(await runProgram(['logout', '--local'], env)).toMatchObject({ code: 0 });
  });

  it('is in the arguments and the environment of no process', async () => {
    const { env: home, sandbox } = await openHome();
    const { env } = await openDesktop(home);
    const canary = 'c4n4ry-in-the-environment';
    const watchedLogin = async () => {
      const child = startProgram(loginLine(sandbox), { ...env, MAR_TOKEN: canary });
      child.stdin?.end(sandbox.password);
      const ended = once(child, 'close');
      const seen = await watchChildren(child.pid ?? 0, () => child.exitCode !== null);
      await ended;
      return { code: child.exitCode, seen };
    };
    let { code, seen } = await watchedLogin();
    // On a busy machine, a keychain may take longer than a command waits for it.
    for (let tries = 1; code === 10 && tries < 5; tries++) ({ code, seen } = await watchedLogin());
    const token = lookUp(env, sandbox) ?? '';
    expect(token).toMatch(/^\S{8,}$/);
    const around = seen.filter(({ commandLine }) => commandLine.includes('keychain-child'));
    // Once to see that a token could be kept, once to keep it.
    expect(new Set(around.map(({ pid }) => pid)).size).toBe(2);
    expect(around.some(({ environment }) => environment.includes('HOME='))).toBe(true);
    const everything = JSON.stringify(seen);
    for (const secret of [token, sandbox.password, canary])
      expect(everything).not.toContain(secret);
  });
});

describe('a keychain that cannot be used is exit 10', () => {
  it('when two entries match', async () => {
    const home = await openHome();
    const { env } = await openDesktop(home.env);
    await logIn(env, home.sandbox);
    store(env, home.sandbox, 'made-by', 'somebody');
    const words = accountWords.severalEntries(usernameIn(home.sandbox));
    await expectTrouble({ ...home, env }, words, [whoIsThere, ['logout', '--local']]);
    // `login` finds out when it has a token to keep: its check at the start knows no name yet.
    const { sandbox } = home;
    expect(await runProgram(loginLine(sandbox), env, sandbox.password)).toMatchObject({
      code: 10,
      stderr: expect.stringContaining(words),
    });
  });

  it('when it is locked, and there is nowhere to show a prompt', async () => {
    const home = await openHome();
    const desktop = await openDesktop(home.env);
    await logIn(desktop.env, home.sandbox);
    lock(desktop);
    const trouble = { ...home, env: desktop.env };
    await expectTrouble(trouble, accountWords.keychainStaysLocked);
  });

  it('when nobody has unlocked it since the machine started', async () => {
    const home = await openHome();
    const first = await openDesktop(home.env);
    await logIn(first.env, home.sandbox);
    process.kill(first.pid);
    const { env } = await openDesktop(home.env, 'sleep infinity');
    await expectTrouble({ ...home, env }, accountWords.keychainLocked, [whoIsThere]);
  });

  it('when it does not respond', async () => {
    const home = await openHome();
    const { env, pid } = await openDesktop(home.env);
    await logIn(env, home.sandbox);
    process.kill(pid, 'SIGSTOP');
    await expectTrouble({ ...home, env }, accountWords.keychainSilent);
  });

  it.each([
    ['there is none on the bus', openBareBus, () => accountWords.keychainNotOnBus],
    ['the bus does not even accept', openFullBus, accountWords.busSilent],
  ])('when %s', async (_name, open, words) => {
    const home = await openHome();
    writeProfile(home);
    const address = await open(home.env);
    const env = { ...home.env, DBUS_SESSION_BUS_ADDRESS: address };
    await expectTrouble({ ...home, env }, words(address));
  });
});

/** A bus whose queue of those who wait to be accepted is full. */
async function openFullBus(): Promise<string> {
  const file = path.join(temporaryFolder(), 'bus');
  const script = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
    console.log('listening'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  })`;
  const server = spawn(process.execPath, ['-e', script, file]);
  await once(server.stdout, 'data');
  const waiting = Array.from({ length: 4 }, () => openSocket(file).on('error', () => {}));
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
    server.kill('SIGKILL');
  });
  return `unix:path=${file}`;
}

/** A session bus on which nothing is, and nothing can be started. */
async function openBareBus(env: Record<string, string>): Promise<string> {
  const configPath = path.join(temporaryFolder(), 'bus.conf');
  writeFileSync(
    configPath,
    `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
      <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`,
  );
  const args = ['--nofork', `--config-file=${configPath}`, '--print-address'];
  const bus = spawn('dbus-daemon', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => {
    bus.kill();
  });
  const [line] = await once(createInterface({ input: bus.stdout }), 'line');
  return String(line);
}

interface Seen {
  pid: string;
  commandLine: string;
  environment: string;
}

/**
 * Everything that the kernel shows of the children of a process, until it ends. A child that does
 * not run its own program yet is a copy of its parent, and shows what the parent was given.
 */
async function watchChildren(pid: number, hasEnded: () => boolean): Promise<Seen[]> {
  const seen = new Map<string, Seen>();
  while (!hasEnded()) {
    for (const child of readProcess(pid, `task/${pid}/children`).trim().split(/\s+/)) {
      const commandLine = readProcess(child, 'cmdline');
      const environment = readProcess(child, 'environ');
      if (commandLine === readProcess(pid, 'cmdline')) continue;
      seen.set(`${child} ${commandLine} ${environment}`, { pid: child, commandLine, environment });
    }
    await new Promise((later) => setTimeout(later, 2));
  }
  return [...seen.values()];
}

function readProcess(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It may have ended in between.
    return '';
  }
}
