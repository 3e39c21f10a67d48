import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, startSandboxProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { openTerminal } from '../harness/terminal.ts';

async function prepare() {
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { TMPDIR: folder });
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  return { env, sandbox, terminal: openTerminal(env) };
}

describe('mar login in a terminal', () => {
  it('asks for what it needs, and shows nothing of the password', async () => {
    const { sandbox, terminal } = await prepare();
    terminal.type('mar login --insecure-storage');
    await terminal.until('Base URL:');
    terminal.type(sandbox.baseUrl);
    await terminal.until('E-mail:');
    terminal.type(sandbox.email);
    await terminal.until('Password:');
    terminal.type(sandbox.password);
    const screen = await terminal.until('Logged in');
    expect(screen).not.toContain(sandbox.password);
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it('shows nothing of what is typed ahead or pasted', async () => {
    const { sandbox, terminal } = await prepare();
    const { baseUrl, email, password } = sandbox;
    terminal.type('mar login --insecure-storage');
    await terminal.until('Base URL:');
    terminal.paste(`${baseUrl}\n${email}\n${password}\n`);
    const screen = await terminal.until('Logged in');
    expect(screen).not.toContain(password);
  });

  it('offers what it knows from the last time', async () => {
    const { sandbox, terminal } = await prepare();
    terminal.type(`mar login --insecure-storage --base-url ${sandbox.baseUrl}`);
    await terminal.until('E-mail:');
    terminal.type(sandbox.email);
    await terminal.until('Password:');
    terminal.type(sandbox.password);
    await terminal.until('Logged in');
    terminal.run('mar logout');
    terminal.clear();
    terminal.type('mar login --insecure-storage');
    await terminal.until(`Base URL [${sandbox.baseUrl}]:`);
    terminal.press('Enter');
    await terminal.until(`E-mail [${sandbox.email}]:`);
    terminal.press('Enter');
    await terminal.until('Password:');
    terminal.type(sandbox.password);
    await terminal.until('Logged in');
  });

  it.each(['Base URL', 'Password'])('gives the terminal back on Ctrl-C at "%s"', async (label) => {
    const { env, sandbox, terminal } = await prepare();
    const { baseUrl, email } = sandbox;
    const known = label === 'Password' ? `--base-url ${baseUrl} --email ${email}` : '';
    terminal.type(`mar login --insecure-storage ${known}; echo code $?`);
    await terminal.until(`${label}:`);
    terminal.press('s', 'e', 'c', 'C-c');
    await terminal.until('code 130');
    expect(terminal.run('stty -a')).toMatch(/ echo /);
    expect(existsSync(path.join(env.MAR_CONFIG_DIR, 'config.json'))).toBe(false);
  });

  it('asks for the password again after a wrong one, three times in all', async () => {
    const { sandbox, terminal } = await prepare();
    const known = `--base-url ${sandbox.baseUrl} --email ${sandbox.email}`;
    terminal.type(`mar login --insecure-storage ${known}`);
    await terminal.until('Password:');
    terminal.type('wrong');
    await terminal.until('Try again.');
    terminal.type(sandbox.password);
    expect(await terminal.until('Logged in')).not.toContain(sandbox.password);
    terminal.clear();
    terminal.type(`mar login --insecure-storage ${known}; echo code $?`);
    for (const _try of [1, 2, 3]) {
      await terminal.until('Password:');
      terminal.type('wrong');
      await new Promise((resolve) => setTimeout(resolve, 1500));
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
    const { env, sandbox, terminal } = await prepare();
    const config = path.join(env.MAR_CONFIG_DIR, 'config.json');
    const profile = { baseUrl: 'https://media.example/api', email: 'me@studio.example' };
    mkdirSync(env.MAR_CONFIG_DIR, { recursive: true });
    writeFileSync(config, JSON.stringify({ profiles: { default: profile } }));
    terminal.type(`mar login --insecure-storage --base-url ${sandbox.baseUrl}; echo code $?`);
    await terminal.until('E-mail [me@studio.example]:');
    terminal.paste(`${sandbox.email}\n${sandbox.password}\n`);
    const screen = await terminal.until('code 130');
    expect(screen).toContain(
      'Profile "default" is me@studio.example at https://media.example/api.',
    );
    expect(screen).toContain('Nothing was changed. To keep both, run: mar login --profile NAME');
    expect(screen).not.toContain(sandbox.password);
    expect(JSON.parse(readFileSync(config, 'utf8')).profiles).toEqual({ default: profile });
    terminal.clear();
    terminal.type(`mar login --insecure-storage --base-url ${sandbox.baseUrl}`);
    await terminal.until('E-mail [me@studio.example]:');
    terminal.type(sandbox.email);
    await terminal.until('(y/N):');
    terminal.type('y');
    await terminal.until('Password:');
    terminal.type(sandbox.password);
    expect(await terminal.until('Logged in')).toContain('(y/N): y');
  });

  it('does not ask with --no-input', async () => {
    const { sandbox, terminal } = await prepare();
    const flags = `--insecure-storage --no-input --base-url ${sandbox.baseUrl} --email a@b`;
    expect(terminal.run(`mar login ${flags}; echo code $?`)).toMatch(/--password-stdin.*code 2/s);
  });
});
