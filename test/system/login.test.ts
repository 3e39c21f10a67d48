import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeService } from '../harness/fakeService.ts';
import { email, session } from '../harness/home.ts';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { writeProfiles } from '../harness/storedAccount.ts';
import { openTerminal } from '../harness/terminal.ts';
import { basic } from '../modules/sandbox/harness.ts';
import { accountWords } from '../words/account.ts';

const password = 'open-sesame';

async function prepare() {
  const right = basic(email, password);
  const { baseUrl } = await fakeService(({ headers }) =>
    headers.authorization === right ? session('t-1') : 401,
  );
  const env = cleanEnvironment(temporaryFolder());
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
  return { env, baseUrl, terminal, logIn, atBaseUrl: `--base-url ${baseUrl}` };
}

describe('mar login in a terminal', () => {
  it('asks for what it needs, knows it the next time, and shows nothing of the password', async () => {
    const { baseUrl, terminal, logIn } = await prepare();
    await logIn(`--no-input --base-url ${baseUrl} --email ${email}`);
    expect(await terminal.until('code 2')).toContain('--password-stdin');
    await logIn('', [accountWords.baseUrl, baseUrl], ['E-mail', email], ['Password', password]);
    expect(await terminal.until(accountWords.loggedIn)).not.toContain(password);
    expect(terminal.run('stty -a')).toMatch(/ echo /);
    // Not with `run`, which keeps the service from responding.
    terminal.type('clear; mar logout; echo code $?');
    await terminal.until('code 0');
    await logIn('', ['Password', password]);
    const again = await terminal.until(accountWords.loggedIn);
    expect(again).toContain(`Logging in to ${new URL(baseUrl).host} as ${email}.`);
    expect(again).not.toContain('E-mail');
  });

  it('shows nothing of what is typed ahead or pasted', async () => {
    const { baseUrl, terminal, logIn } = await prepare();
    await logIn('');
    await terminal.until(`${accountWords.baseUrl}:`);
    terminal.paste(`${baseUrl}\n${email}\n${password}\n`);
    expect(await terminal.until(accountWords.loggedIn)).not.toContain(password);
  });

  it.each([accountWords.baseUrl, 'Password'])(
    'gives the terminal back on Ctrl-C at "%s"',
    async (label) => {
      const { env, terminal, logIn, atBaseUrl } = await prepare();
      await logIn(label === 'Password' ? `${atBaseUrl} --email ${email}` : '');
      await terminal.until(`${label}:`);
      terminal.press('s', 'e', 'c', 'C-c');
      await terminal.until('code 130');
      expect(terminal.run('stty -a')).toMatch(/ echo /);
      expect(existsSync(path.join(env.MAR_CONFIG_DIR, 'config.json'))).toBe(false);
    },
  );

  it('asks for the password again after a wrong one, three times in all', async () => {
    const { terminal, logIn, atBaseUrl } = await prepare();
    const known = `${atBaseUrl} --email ${email}`;
    await logIn(known, ['Password', 'wrong']);
    await terminal.until(accountWords.tryAgain);
    terminal.type(password);
    expect(await terminal.until(accountWords.loggedIn)).not.toContain(password);
    await logIn(known);
    for (const tries of [1, 2, 3]) {
      await terminal.until(new RegExp(`(?:Password:[^]*){${tries}}`));
      terminal.type('wrong');
    }
    const screen = await terminal.until('code 4');
    expect(screen.match(/Password:/g)).toHaveLength(3);
    expect(screen.split(accountWords.tryAgain)).toHaveLength(3);
    expect(terminal.run('stty -a')).toMatch(/ echo /);
  });

  it.each([
    ['Ctrl-C', 130],
    ['SIGTERM', 143],
  ])(
    'gives the terminal back on %s while the service responds, and shows no key',
    async (end, code) => {
      const { env, terminal } = await prepare();
      const server = await recordingServer({ raw: '', afterwards: 'wait' });
      const arrived = server.request();
      const pidFile = path.join(env.HOME, 'pid');
      const login = `login --insecure-storage --base-url ${server.baseUrl} --email a@b`;
      terminal.type(
        `sh -c 'echo $$ > ${pidFile}; exec ${program.join(' ')} ${login}'; echo code $?`,
      );
      await terminal.until('Password:');
      terminal.type('wrong-one');
      await arrived;
      terminal.press('s', 'e', 'c', 'r', 'e', 't', '-', '2');
      if (end === 'Ctrl-C') terminal.press('C-c');
      else process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
      const screen = await terminal.until(`code ${code}`);
      if (end === 'Ctrl-C') expect(screen).not.toMatch(/wrong-one|secret-2/);
      expect(terminal.run('stty -a')).toMatch(/^isig .* echo /m);
    },
  );

  it('asks before it replaces the account of a profile, and shows no password there', async () => {
    const { env, terminal, logIn, atBaseUrl } = await prepare();
    const profile = { baseUrl: 'https://media.example/api', email: 'me@studio.example' };
    writeProfiles(env.MAR_CONFIG_DIR, { default: profile });
    await logIn(atBaseUrl);
    await terminal.until('E-mail [me@studio.example]:');
    terminal.paste(`${email}\n${password}\n`);
    const screen = await terminal.until('code 130');
    expect(screen).toContain(`"default" is ${profile.email} at ${profile.baseUrl}.`);
    expect(screen).toContain('run: mar login --profile NAME');
    expect(screen).not.toContain(password);
    const config = readFileSync(path.join(env.MAR_CONFIG_DIR, 'config.json'), 'utf8');
    expect(JSON.parse(config).profiles).toEqual({ default: profile });
    await logIn(
      atBaseUrl,
      ['E-mail [me@studio.example]', email],
      ['(y/N)', 'y'],
      ['Password', password],
    );
    expect(await terminal.until(accountWords.loggedIn)).toContain('(y/N): y');
  });
});
