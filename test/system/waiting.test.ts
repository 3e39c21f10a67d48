import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lock, logIn, openDesktop, openHome } from '../harness/desktop.ts';
import { fakeService } from '../harness/fakeService.ts';
import { contentRange, listService } from '../harness/listService.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { isolated, startService } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

/** A terminal of a person, even if the tests run in CI. */
function openScreen({ CI, ACCESSIBLE, NO_COLOR, FORCE_COLOR, ...env }: NodeJS.ProcessEnv) {
  return openTerminal(env, { width: 80, height: 24 });
}

const body = '{"_id":"a-1","name":"Trailer"}';
const get = 'clear; mar asset get a-1; echo "code $?"';
const isSpinner = /Waiting|Retrying|[⠀-⣿]/;

/** A terminal in which `mar` uses a service that waits before each response. */
async function screenWith(wait: () => Promise<void>) {
  const { baseUrl, env } = await fakeService(() => wait().then(() => body));
  const folder = temporaryFolder();
  const terminal = openScreen(cleanEnvironment(folder, env));
  return { terminal, folder, host: new URL(baseUrl).host };
}

describe('on a terminal of 80 columns, a spinner', () => {
  it('appears while a service takes 4 s, and is gone when the record appears', async () => {
    let waitMs = 0;
    const { terminal, host } = await screenWith(() => setTimeout(waitMs));
    terminal.type(get);
    const fast = await terminal.until('code 0');
    waitMs = 4000;
    terminal.type(get);
    await terminal.until(`Waiting for ${host}… 1 s`);
    expect(await terminal.until(`Waiting for ${host}… 3 s`)).not.toContain('Trailer');
    expect(await terminal.until('code 0')).toBe(fast);
  });

  it('counts down to a retry', async () => {
    const fault = 'GET /assets/* 502 retry-after=3 every=2';
    const { baseUrl, account } = await startService('--fault', fault);
    const terminal = openScreen(isolated({ ...account, MAR_BASE_URL: baseUrl }));
    const line = 'clear; mar asset get a-1001 --columns _id; echo "code $?"';
    terminal.type(line);
    const fast = await terminal.until('code 0');
    terminal.type(line);
    await terminal.until('Retrying in 2 s (502)');
    expect(await terminal.until('code 0')).toBe(fast);
  });

  it('appears below the records while the next page takes long, and gives way to them', async () => {
    let sendPage = () => {};
    const { env } = await listService({
      size: 30,
      headers: contentRange(30),
      onPage: (from) =>
        from < 20
          ? undefined
          : new Promise((resolve) => {
              sendPage = resolve;
            }),
    });
    const terminal = openScreen(isolated(env));
    terminal.type(
      'clear; mar file list --all --page-size 10 --columns _id -o tsv --no-pager; echo "code $?"',
    );
    const waiting = await terminal.until('20 of 30 records');
    expect(waiting.split('\n').at(-1)).toMatch(/^[⠀-⣿] 20 of 30 records, 66 %/);
    expect(waiting.split('\n').at(-2)).toBe('f-19');
    sendPage();
    const lines = (await terminal.until('code 0')).split('\n');
    const ids = Array.from({ length: 22 }, (_, index) => `f-${index + 8}`);
    expect(lines).toEqual([...ids, 'code 0', '$']);
  });

  it('appears while the keychain does not respond, and is gone when it does', async () => {
    const { env: home, sandbox } = await openHome();
    const { env, pid } = await openDesktop(home);
    await logIn(env, sandbox);
    const terminal = openScreen(env);
    const line = 'clear; mar asset get a-1001 --columns _id; echo "code $?"';
    terminal.type(line);
    const fast = await terminal.until('code 0');
    process.kill(pid, 'SIGSTOP');
    terminal.type(line);
    await terminal.until(/Waiting for the keychain… \d s/);
    process.kill(pid, 'SIGCONT');
    expect(await terminal.until('code 0')).toBe(fast);
  });

  it('appears while a locked keychain asks for its password, and is gone after the time limit', async () => {
    const { env: home, sandbox } = await openHome();
    showNoPrompt(home);
    const desktop = await openDesktop(home);
    await logIn(desktop.env, sandbox);
    lock(desktop);
    const terminal = openScreen(desktop.env);
    terminal.type('clear; mar asset get a-1001; echo "code $?"');
    await terminal.until(/Waiting for the keychain… \d s/);
    const screen = await terminal.until('code 10');
    expect(screen).toMatch(/^error: .*locked/);
    expect(screen).not.toMatch(isSpinner);
  });
});

/** Makes the keychain wait for its prompt: the program that would show it only sleeps. */
function showNoPrompt({ XDG_DATA_HOME = '' }: Record<string, string>): void {
  const folder = path.join(XDG_DATA_HOME, 'dbus-1/services');
  const name = 'org.gnome.keyring.SystemPrompter';
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, `${name}.service`),
    `[D-BUS Service]\nName=${name}\nExec=/bin/sleep 20\n`,
  );
}

describe('during a wait', () => {
  /** Every byte that the terminal gets from a command line, whose service waits a second or for a spinner. */
  async function bytesOf(line: string, { awaitsSpinner = false } = {}): Promise<string> {
    const spinner = () => expect.poll(bytes, { timeout: 15_000 }).toMatch(isSpinner);
    const { terminal, folder } = await screenWith(() =>
      awaitsSpinner ? spinner() : setTimeout(1000),
    );
    const recording = path.join(folder, 'bytes');
    terminal.run(`cd ${folder}`);
    terminal.record(recording);
    terminal.type(`${line}; echo "code $?"`);
    const bytes = () => readFileSync(recording, 'utf8');
    await expect.poll(bytes, { timeout: 15_000 }).toContain('code 0');
    return bytes();
  }

  it('a terminal gets the frames of a spinner, in colour', async () => {
    const bytes = await bytesOf('mar asset get a-1', { awaitsSpinner: true });
    expect(bytes).toContain('\u001b[36m');
  });

  it.each([
    'CI=true mar asset get a-1',
    'TERM=dumb mar asset get a-1',
    'ACCESSIBLE=1 mar asset get a-1',
    'mar asset get a-1 --quiet',
    'mar asset get a-1 2> file; cat file',
    'mar asset get a-1 2>&1 | cat',
    'FORCE_COLOR=1 mar asset get a-1 2>&1 | cat',
  ])('no byte of a spinner comes from: %s', async (line) => {
    const bytes = await bytesOf(line);
    expect(bytes).toContain('Trailer');
    expect(bytes).not.toMatch(isSpinner);
    // The beginning of each frame.
    expect(bytes).not.toContain('\u001b[?2026h');
  });

  it.each([
    'NO_COLOR=1 mar asset get a-1',
    'FORCE_COLOR=0 mar asset get a-1',
    'mar asset get a-1 --no-color',
  ])('the spinner and the record have no colour with: %s', async (line) => {
    const bytes = await bytesOf(line, { awaitsSpinner: true });
    expect(bytes.split('\u001b')).not.toContainEqual(expect.stringMatching(/^\[\d+m/));
  });
});
