import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { email, home, loggedIn, session } from '../harness/home.ts';
import { mar } from '../harness/mar.ts';
import { marWith, refused } from '../harness/marWith.ts';
import { recordingServer } from '../harness/recordingServer.ts';

describe('login', () => {
  it('makes the account that the service names the profile', async () => {
    const server = await recordingServer(session('t-1', 'ines.carvalho@northlight.example'));
    const { login, config, tokens } = home();
    expect(await login(server)).toMatchObject({ code: 0 });
    const profile = { baseUrl: server.baseUrl, email: 'ines.carvalho@northlight.example' };
    expect(config()).toEqual({
      defaultProfile: 'default',
      profiles: { default: { ...profile, store: 'file' } },
    });
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('prints the token and stores nothing with --print-token', async () => {
    const server = await recordingServer(session('t-1'), session('t-2'));
    const { env, folder } = home();
    const argv = ['login', '--base-url', server.baseUrl, '--email', email, '--password-stdin'];
    const run = await mar([...argv, '--print-token'], { env, stdin: 'secret' });
    expect(run).toEqual({ code: 0, stdout: 't-1\n', stderr: '' });
    const json = await mar([...argv, '--print-token', '--json'], { env, stdin: 'secret' });
    expect(JSON.parse(json.stdout)).toEqual({ email, baseUrl: server.baseUrl, token: 't-2' });
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);
    expect(existsSync(path.join(folder, 'tokens.json'))).toBe(false);
    const both = await mar([...argv, '--print-token', '--insecure-storage'], { env, stdin: 'x' });
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('cannot be used together');
  });

  it('shows each time that the token is in plain text', async () => {
    const server = await recordingServer(session('t-1'), '[]');
    const { login, run, folder } = home();
    const words = `plain text in ${path.join(folder, 'tokens.json')}`;
    expect((await login(server)).stderr).toContain(words);
    expect((await run(['whoami'])).stderr).toContain(words);
    expect((await run(['doctor'])).stderr).toContain(words);
    expect(statSync(path.join(folder, 'tokens.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a web page', '<!doctype html><title>Sign in</title>'],
    ['an empty object', '{}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a token that is a number', '{"token":1,"email":"a@b"}'],
    ['a token that is null', '{"token":null,"email":"a@b"}'],
    ['an empty token', '{"token":"","email":"a@b"}'],
  ])('does not take %s for the service', async (_name, body) => {
    const server = await recordingServer({ body });
    const { login, folder } = home();
    const run = await login(server);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('does not respond like the service');
    expect(run.stderr).toContain('/api');
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);
  });

  it('tells a wrong password from a wrong address', async () => {
    const run = await home().login(await recordingServer({ status: 401, body: '{}' }));
    expect(run.code).toBe(4);
    expect(run.stderr).not.toContain('respond like');
  });

  it('reports that a variable wins', async () => {
    const server = await recordingServer(session('t-1'));
    const { env } = home();
    const argv = ['login', '--base-url', server.baseUrl, '--email', email, '--password-stdin'];
    const run = await mar([...argv, '--insecure-storage'], {
      env: { ...env, MAR_TOKEN: 'other' },
      stdin: 'secret',
    });
    expect(run.stderr).toContain('warning: MAR_TOKEN is set, so commands use it');
  });

  it.each(['a b', '../x', '__proto__', '', 'ü'])(
    'refuses "%s" as the name of a profile',
    async (name) => {
      const server = await recordingServer(session('t-1'));
      const run = await home().login(server, `--profile=${name}`);
      expect(run.code).toBe(2);
    },
  );
});

describe('logout', () => {
  it('revokes, then forgets, and remembers where it was', async () => {
    const { run, config, tokens, server } = await loggedIn('{}');
    expect(await run(['logout'])).toMatchObject({ code: 0 });
    expect(server.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(tokens()).toEqual({});
    expect(config().profiles.default).toEqual({ baseUrl: server.baseUrl, email });
    expect(await run(['whoami'])).toMatchObject({ code: 4 });
  });

  it.each([
    ['with an empty response', { status: 204, body: '' }],
    ['after the token was revoked', { status: 401, body: '{}' }],
  ])('forgets the token %s', async (_when, response) => {
    const { run, tokens } = await loggedIn(response);
    expect(await run(['logout'])).toMatchObject({ code: 0 });
    expect(tokens()).toEqual({});
  });

  it.each([
    ['is out of reach', { raw: '', afterwards: 'close' }, 7],
    ['fails', { status: 500, body: '{}' }, 1],
  ] as const)('keeps the token when the service %s', async (_name, answer, code) => {
    const { run, tokens } = await loggedIn(answer);
    const hint = 'The token was kept. To delete it without revoking it, run: mar logout --local\n';
    const outcome = await run(['logout']);
    expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(hint) });
    expect(Object.values(tokens())).toEqual(['t-1']);
    expect(await run(['logout', '--local'])).toMatchObject({ code: 0 });
    expect(tokens()).toEqual({});
  });

  it('of all profiles goes on when one fails, and fails', async () => {
    const first = await recordingServer(session('t-1'), { status: 500, body: '{}' });
    const second = await recordingServer(session('t-2'), '{}');
    const { login, run, tokens } = home();
    await login(first);
    await login(second, '--profile', 'staging');
    expect(await run(['logout', '--all'])).toMatchObject({ code: 1 });
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('of all profiles revokes once what two of them share', async () => {
    const { login, run, tokens, server } = await loggedIn(session('t-1'), '{}');
    await login(server, '--profile', 'again');
    expect(await run(['logout', '--all'])).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(3);
    expect(tokens()).toEqual({});
    expect((await run(['logout', '--all'])).stderr).toContain('No profile is logged in');
  });

  it('shows its request with --dry-run, and forgets nothing', async () => {
    const { run, tokens, server } = await loggedIn();
    const { code, stdout } = await run(['logout', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DELETE http:\S+\/api\/session\n/);
    expect(stdout).toContain('Authorization: [redacted]');
    expect((await run(['logout', '--dry-run', '--all'])).code).toBe(2);
    expect(server.requests).toHaveLength(1);
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('does not touch a token that comes from a variable', async () => {
    expect(await refused(['logout'])).toContain('MAR_TOKEN');
  });
});

describe('config', () => {
  it('sets, gets, lists and unsets', async () => {
    const { run } = home();
    expect(await run(['config', 'set', 'page-size', '50'])).toMatchObject({ code: 0 });
    expect((await run(['config', 'get', 'page-size'])).stdout).toBe('50\n');
    expect((await run(['config', 'list'])).stdout).toMatch(/^page-size\t50\t/m);
    await run(['config', 'unset', 'page-size']);
    expect((await run(['config', 'get', 'page-size'])).stdout).toBe('\n');
  });

  it.each([
    ['page-size', '0'],
    ['page-size', 'many'],
    ['output', 'xml'],
    // A terminal cannot show it.
    ['output', 'xlsx'],
    ['time-unit', 'days'],
    ['concurrency', '1.5'],
    ['default-profile', 'nope'],
    ['colour', 'red'],
  ])('refuses %s %s', async (key, value) => {
    const { run, folder } = home();
    expect(await run(['config', 'set', key, value])).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);
  });

  it('has an effect: the form of output, the unit of times, the size of pages', async () => {
    const server = await recordingServer('[{"_id":"d-1","created":1700000000}]', '[]');
    const { run } = home();
    await run(['config', 'set', 'output', 'jsonl']);
    await run(['config', 'set', 'page-size', '7']);
    const list = await run(['downloads', 'list', '--all'], server.env);
    expect(list.stdout).toBe('{"_id":"d-1","created":1700000000}\n');
    expect(server.requests[0]).toContain('resources=0-6');
    await run(['config', 'set', 'time-unit', 'ms']);
    const rows = await run(
      ['downloads', 'list', '--limit', '1', '-o', 'tsv'],
      (await recordingServer('[{"created":1700000000}]')).env,
    );
    expect(rows.stdout).toMatch(/^1700000000\t/);
  });
});

describe('doctor', () => {
  it('is content with a service that responds', async () => {
    const headers = [`Date: ${new Date().toUTCString()}`];
    const run = await marWith({ headers, body: '[]' }, ['doctor', '--json']);
    expect(run.code).toBe(0);
    const { ok, checks } = JSON.parse(run.stdout);
    expect(ok).toBe(true);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual([
      ...['Program', 'Install', 'Config', 'Folders', 'Profile', 'Token', 'Keychain', 'Proxy', 'CA'],
      ...['DNS', 'Connect', 'TLS', 'Request', 'Clock'],
    ]);
  });

  it('notices a clock that is off', async () => {
    const headers = ['Date: Sat, 01 Jan 2022 00:00:00 GMT'];
    const run = await marWith({ headers, body: '[]' }, ['doctor']);
    expect(run.stdout).toMatch(/^! Clock +\d+ s ahead/m);
  });

  it.each([
    ['nobody is logged in', {}, 4, '✗ Profile'],
    [
      'nothing listens',
      { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://127.0.0.1:1/api' },
      7,
      '✗ Connect   127.0.0.1:1: connection refused\n',
    ],
  ])('explains what is wrong when %s', async (_name, env, code, line) => {
    const run = await mar(['doctor'], { env });
    expect(run.code).toBe(code);
    expect(run.stdout).toContain(line);
  });

  it('reports that the login is refused', async () => {
    const run = await marWith({ status: 401, body: '{}' }, ['doctor']);
    expect(run).toMatchObject({ code: 4, stdout: expect.stringContaining('✗ Request') });
  });

  it('shows a proxy without its password', async () => {
    const server = await recordingServer('[]');
    const env = { ...server.env, HTTPS_PROXY: 'http://me:hunter2@proxy.example:3128' };
    const run = await mar(['doctor'], { env });
    expect(run.stdout).toContain('proxy.example:3128');
    expect(run.stdout).not.toContain('hunter2');
  });
});

describe('a token', () => {
  it('that is gone from its store is named, with how to log in again', async () => {
    const { run, folder } = await loggedIn();
    rmSync(path.join(folder, 'tokens.json'));
    const { code, stderr } = await run(['asset', 'get', 'a-1']);
    expect(code).toBe(4);
    expect(stderr).toContain(
      'the token of profile "default" is no longer in the token file\n  To log in again, run: mar login\n',
    );
  });

  it('is missing if the default profile is gone', async () => {
    const { run, writeConfig } = home();
    writeConfig({ defaultProfile: 'gone', profiles: {} });
    const { code, stderr } = await run(['asset', 'get', 'a-1']);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('you are not logged in'),
    });
  });

  it('survives a login whose profile spells the base URL otherwise', async () => {
    const own = await loggedIn(session('t-2'), '{"_id":"a-1"}');
    const { login, run, config, writeConfig, tokens, server } = own;
    const edited = config();
    edited.profiles.default.baseUrl += '/';
    writeConfig(edited);
    expect((await login(server)).code).toBe(0);
    expect(Object.values(tokens())).toEqual(['t-2']);
    expect((await run(['asset', 'get', 'a-1'])).code).toBe(0);
  });

  it('of another address is named as that after config set base-url', async () => {
    const { run, config, tokens, server } = await loggedIn('{"_id":"a-1"}');
    const { origin } = new URL(server.baseUrl);
    expect((await run(['config', 'set', 'base-url', 'https://other.example/api'])).code).toBe(0);
    for (const argv of [['asset', 'get', 'a-1'], ['whoami', '--check'], ['logout']]) {
      const { code, stderr } = await run(argv);
      expect(code, stderr).toBe(4);
      expect(stderr).toContain(`the token was issued for ${origin}, not for https://other.example`);
      expect(stderr).not.toContain('gone');
    }
    expect((await run(['config', 'set', 'base-url', server.baseUrl])).code).toBe(0);
    expect(config().profiles.default).toEqual({ baseUrl: server.baseUrl, email, store: 'file' });
    expect((await run(['asset', 'get', 'a-1'])).code).toBe(0);
    await run(['config', 'set', 'base-url', 'https://other.example/api']);
    expect((await run(['logout', '--local'])).code).toBe(0);
    expect(tokens()).toEqual({});
    expect(config().profiles.default).toEqual({ baseUrl: 'https://other.example/api', email });
  });
});

describe('whoami', () => {
  it('--check names the variable of a token that is not valid', async () => {
    const run = await marWith({ status: 401 }, ['whoami', '--check']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toContain(`MAR_TOKEN is not valid for ${email}`);
  });

  it('reports a MAR_TOKEN_FILE that does not exist', async () => {
    const own = { MAR_EMAIL: email, MAR_BASE_URL: 'https://media.example/api' };
    const outcome = await home().run(['whoami'], { ...own, MAR_TOKEN_FILE: '/nonexistent/token' });
    expect(outcome).toEqual({
      code: 2,
      stdout: expect.stringContaining(email),
      stderr: 'error: cannot read MAR_TOKEN_FILE /nonexistent/token: no such file\n',
    });
  });

  it('reports a token that belongs to another address', async () => {
    const { run, server } = await loggedIn();
    const outcome = await run(['whoami', '--base-url', 'https://other.example/api']);
    expect(outcome.code).toBe(4);
    expect(outcome.stderr).toContain(
      `error: the token was issued for ${new URL(server.baseUrl).origin}, not for https://other.example\n`,
    );
    expect(outcome.stdout).toContain('https://other.example/api');
  });
});

describe('config list', () => {
  it('shows the profiles', async () => {
    const server = await recordingServer(session('t-1'));
    const { login, run } = home();
    await login(server, '--profile', 'staging');
    const { stdout } = await run(['config', 'list', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({
      key: 'profiles.staging',
      value: `${email} at ${server.baseUrl}`,
      meaning: 'profile, logged in',
    });
    await run(['logout', '--local', '--profile', 'staging']);
    expect((await run(['config', 'list'])).stdout).toContain('profile, logged out');
  });
});
