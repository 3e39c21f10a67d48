import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, startSandboxProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { writeProfiles } from '../harness/storedAccount.ts';
import { openTerminal } from '../harness/terminal.ts';

async function prepare() {
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { TMPDIR: folder });
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  const terminal = openTerminal(env);
  /** Runs a login, and types the answer to each of its questions. */
  const logIn = async (flags: string, ...answers: [label: string, answer: string][]) => {
    terminal.clear();
    terminal.type(`mar login --insecure-storage ${flags}; echo code $?`);
    for (const [label, answer] of answers) {
      await terminal.until(`${label}:`);
      terminal.type(answer);
    }
  };
  const atBaseUrl = `--base-url ${sandbox.baseUrl}`;
  return { env, sandbox, terminal, logIn, atBaseUrl };
}

describe('mar login in a terminal', () => {
  it('asks for what it needs, and shows nothing of the password', async () => {
    const { sandbox, terminal, logIn } = await prepare();
    const { baseUrl, email, password } = sandbox;
    await logIn('', ['Base URL', baseUrl], ['E-mail', email], ['Password', password]);
    expect(await terminal.until('Logged in')).not.toContain(password);
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('shows nothing of what is typed ahead or pasted', async () => {
    const { sandbox, terminal, logIn } = await prepare();
    const { baseUrl, email, password } = sandbox;
    await logIn('');
    await terminal.until('Base URL:');
    terminal.paste(`${baseUrl}\n${email}\n${password}\n`);
    expect(await terminal.until('Logged in')).not.toContain(password);
  });

  it('offers what it knows from the last time', async () => {
    const { sandbox, terminal, logIn, atBaseUrl } = await prepare();
    const { baseUrl, email, password } = sandbox;
    await logIn(atBaseUrl, ['E-mail', email], ['Password', password]);
    await terminal.until('code 0');
    terminal.run('mar logout');
    const known: [string, string][] = [
      [`Base URL [${baseUrl}]`, ''],
      [`E-mail [${email}]`, ''],
    ];
    await logIn('', ...known, ['Password', password]);
    await terminal.until('Logged in');
  });

  it.each(['Base URL', 'Password'])('gives the terminal back on Ctrl-C at "%s"', async (label) => {
    const { env, sandbox, terminal, logIn, atBaseUrl } = await prepare();
    await logIn(label === 'Password' ? `${atBaseUrl} --email ${sandbox.email}` : '');
    await terminal.until(`${label}:`);
    terminal.press('s', 'e', 'c', 'C-c');
    await terminal.until('code 130');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
    expect(existsSync(path.join(env.MAR_CONFIG_DIR, 'config.json'))).toBe(false);
  });

  it('asks for the password again after a wrong one, three times in all', async () => {
    const { sandbox, terminal, logIn, atBaseUrl } = await prepare();
    const known = `${atBaseUrl} --email ${sandbox.email}`;
    await logIn(known, ['Password', 'wrong']);
    await terminal.until('Try again.');
    terminal.type(sandbox.password);
    expect(await terminal.until('Logged in')).not.toContain(sandbox.password);
    await logIn(known);
    for (const tries of [1, 2, 3]) {
      await terminal.until(new RegExp(`(?:Password:[^]*){${tries}}`));
      terminal.type('wrong');
    }
    const screen = await terminal.until('code 4');
    expect(screen.match(/Password:/g)).toHaveLength(3);
    expect(screen.match(/Try again/g)).toHaveLength(2);
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  /** A service that never responds to a login, and says when one has arrived. */
  async function silentService() {
    const { env, terminal } = await prepare();
    const server = await recordingServer({ raw: '', afterwards: 'wait' });
    const arrived = server.request();
    const pidFile = path.join(env.HOME, 'pid');
    const login = `login --insecure-storage --base-url ${server.baseUrl} --email a@b`;
    terminal.type(`sh -c 'echo $$ > ${pidFile}; exec ${program.join(' ')} ${login}'; echo code $?`);
    await terminal.until('Password:');
    terminal.type('wrong-one');
    await arrived;
    return { terminal, pid: Number(readFileSync(pidFile, 'utf8')) };
  }

  it('shows nothing that is typed while the service responds, and Ctrl-C still works', async () => {
    const { terminal } = await silentService();
    terminal.press('s', 'e', 'c', 'r', 'e', 't', '-', '2');
    terminal.press('C-c');
    const screen = await terminal.until('code 130');
    expect(screen).not.toMatch(/wrong-one|secret-2/);
    expect(terminal.run('stty -a')).toMatch(/^isig .* echo /m);
  });

  it('gives the terminal back when it is terminated while the service responds', async () => {
    const { terminal, pid } = await silentService();
    process.kill(pid, 'SIGTERM');
    await terminal.until('code 143');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('asks before it replaces the account of a profile, and shows no password there', async () => {
    const { env, sandbox, terminal, logIn, atBaseUrl } = await prepare();
    const profile = { baseUrl: 'https://media.example/api', email: 'me@studio.example' };
    writeProfiles(env.MAR_CONFIG_DIR, { default: profile });
    await logIn(atBaseUrl);
    await terminal.until('E-mail [me@studio.example]:');
    terminal.paste(`${sandbox.email}\n${sandbox.password}\n`);
    const screen = await terminal.until('code 130');
    expect(screen).toContain(`Profile "default" is ${profile.email} at ${profile.baseUrl}.`);
    expect(screen).toContain('Nothing was changed. To keep both, run: mar login --profile NAME');
    expect(screen).not.toContain(sandbox.password);
    const config = readFileSync(path.join(env.MAR_CONFIG_DIR, 'config.json'), 'utf8');
    expect(JSON.parse(config).profiles).toEqual({ default: profile });
    await logIn(
      atBaseUrl,
      ['E-mail [me@studio.example]', sandbox.email],
      ['(y/N)', 'y'],
      ['Password', sandbox.password],
    );
    expect(await terminal.until('Logged in')).toContain('(y/N): y');
  });

  it('does not ask with --no-input', async () => {
    const { terminal, logIn, atBaseUrl } = await prepare();
    await logIn(`--no-input ${atBaseUrl} --email a@b`);
    expect(await terminal.until('code 2')).toContain('--password-stdin');
  });
});
