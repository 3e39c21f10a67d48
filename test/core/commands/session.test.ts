import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { email, home, loggedIn, session } from '../../harness/home.ts';
import { mar } from '../../harness/mar.ts';
import { failure, marWith, refused } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { accountWords } from '../../words/account.ts';

describe('login', () => {
  it('makes the account that the service names the profile', async () => {
    const named = 'ines.carvalho@northlight.example';
    const server = await recordingServer(session('t-1', named));
    const { login, config, tokens } = home();
    expect(await login(server)).toMatchObject({ code: 0 });
    const profile = { baseUrl: server.baseUrl, email: named, store: 'file' };
    expect(config()).toEqual({ defaultProfile: 'default', profiles: { default: profile } });
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('prints the token and stores nothing with --print-token', async () => {
    const server = await recordingServer(session('t-1'), session('t-2'));
    const { env, folder } = home();
    const argv = ['login', '--base-url', server.baseUrl, '--email', email, '--password-stdin'];
    const print = (...flags: string[]) =>
      mar([...argv, '--print-token', ...flags], { env, stdin: 'secret' });
    expect(await print()).toEqual({ code: 0, stdout: 't-1\n', stderr: '' });
    const json = JSON.parse((await print('--json')).stdout);
    expect(json).toEqual({ email, baseUrl: server.baseUrl, token: 't-2' });
    expect(readdirSync(folder)).toEqual([]);
    const both = await failure(2, print('--insecure-storage'));
    expect(both).toMatch(/--print-token.*--insecure-storage/);
  });

  it('shows each time that the token is in plain text', async () => {
    const server = await recordingServer(session('t-1'), '[]');
    const { login, run, folder } = home();
    const file = path.join(folder, 'tokens.json');
    for (const shown of [await login(server), await run(['whoami']), await run(['doctor'])]) {
      expect(shown.stderr).toContain(accountWords.tokenInPlainText(file));
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    '<!doctype html><title>Sign in</title>',
    '{}',
    '[]',
    'null',
    '{"token":1,"email":"a@b"}',
    '{"token":null,"email":"a@b"}',
    '{"token":"","email":"a@b"}',
  ])('does not take %s for the service', async (body) => {
    const { login, folder } = home();
    const stderr = await failure(1, login(await recordingServer({ body })));
    expect(stderr.split(accountWords.notTheService)[1]).toContain('/api');
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);
  });

  it('tells a wrong password from a wrong address', async () => {
    const run = await home().login(await recordingServer({ status: 401, body: '{}' }));
    expect(run.code).toBe(4);
    expect(run.stderr).not.toContain(accountWords.notTheService);
  });

  it('reports that a variable wins', async () => {
    const { baseUrl } = await recordingServer(session('t-1'));
    const { env } = home();
    const argv = `login --base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage`;
    const other = { env: { ...env, MAR_TOKEN: 'other' }, stdin: 'secret' };
    const { stderr } = await mar(argv.split(' '), other);
    expect(stderr).toContain('warning: MAR_TOKEN ');
  });

  it.each(['a b', '../x', '__proto__', '', 'ü'])('refuses the profile "%s"', async (name) => {
    const server = await recordingServer(session('t-1'));
    expect((await home().login(server, `--profile=${name}`)).code).toBe(2);
  });
});

describe('logout', () => {
  it.each([
    ['', '{}'],
    [' with an empty response', { status: 204, body: '' }],
    [' after the token was revoked', { status: 401, body: '{}' }],
  ])('revokes, then forgets, and remembers where it was%s', async (_when, response) => {
    const { run, config, tokens, server } = await loggedIn(response);
    expect(await run(['logout'])).toMatchObject({ code: 0 });
    expect(server.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(tokens()).toEqual({});
    expect(config().profiles.default).toEqual({ baseUrl: server.baseUrl, email });
    expect(await run(['whoami'])).toMatchObject({ code: 4 });
  });

  it.each([
    ['logout', ['logout', '--json']],
    ['profile remove', ['profile', 'remove', 'default', '--json']],
  ])('%s does not say that it revoked a token that is no longer stored', async (_name, argv) => {
    const { run, tokens, server, folder } = await loggedIn();
    writeFileSync(`${folder}/tokens.json`, '{}');
    const { code, stdout } = await run(argv);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, revoked: false });
    expect(server.requests).toHaveLength(1);
    expect(tokens()).toEqual({});
  });

  it.each([
    ['is out of reach', { raw: '', afterwards: 'close' }, 7],
    ['fails', { status: 500, body: '{}' }, 1],
  ] as const)('keeps the token when the service %s', async (_name, answer, code) => {
    const { run, tokens } = await loggedIn(answer);
    const hint = 'run: mar logout --local\n';
    const outcome = await run(['logout']);
    expect(outcome).toMatchObject({ code, stderr: expect.stringContaining(hint) });
    expect(Object.values(tokens())).toEqual(['t-1']);
    expect(await run(['logout', '--local'])).toMatchObject({ code: 0 });
    expect(tokens()).toEqual({});
  });

  it('of all profiles goes on when one fails, and fails', async () => {
    const { login, run, tokens } = await loggedIn({ status: 500, body: '{}' });
    await login(await recordingServer(session('t-2'), '{}'), '--profile', 'staging');
    expect(await run(['logout', '--all'])).toMatchObject({ code: 1 });
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('of all profiles revokes once what two of them share', async () => {
    const { login, run, tokens, server } = await loggedIn(session('t-1'), '{}');
    await login(server, '--profile', 'again');
    expect(await run(['logout', '--all'])).toMatchObject({
      ...{ code: 0, stderr: `${accountWords.forgotAll}\n${accountWords.othersStay}\n` },
    });
    expect(server.requests).toHaveLength(3);
    expect(tokens()).toEqual({});
    expect((await run(['logout', '--all'])).stderr).toContain(accountWords.noProfileLoggedIn);
  });

  it('shows its request with --dry-run, and forgets nothing', async () => {
    const { run, tokens, server } = await loggedIn();
    const { code, stdout } = await run(['logout', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DELETE http:\S+\/api\/session\n[\s\S]*Authorization: \[redacted\]/);
    expect((await run(['logout', '--dry-run', '--all'])).code).toBe(2);
    expect(server.requests).toHaveLength(1);
    expect(Object.values(tokens())).toEqual(['t-1']);
    // A token that comes from a variable is not touched.
    expect(await refused(['logout'])).toContain('MAR_TOKEN');
  });
});

describe('config', () => {
  it('sets, gets, lists and unsets', async () => {
    const { run, env } = home();
    const get = async () => (await run(['config', 'get', 'page-size'])).stdout;
    expect(await run(['config', 'set', 'page-size', '50'])).toMatchObject({ code: 0 });
    expect(await get()).toBe('50\n');
    expect((await run(['config', 'list'])).stdout).toMatch(/^page-size\t50\t/m);
    const screen = await mar(['config', 'list', '--no-color'], { env, columns: 60 });
    expect(screen.stdout).toMatch(/^ {2}page-size +50 \(records per request in lists\)$/m);
    await run(['config', 'unset', 'page-size']);
    expect(await get()).toBe('\n');
  });

  // A terminal cannot show xlsx.
  it.each(
    'page-size 0, page-size many, output xml, output xlsx, time-unit s, concurrency 1.5, base-url https://x.example/api, default-profile nope, colour red'.split(
      ', ',
    ),
  )('refuses %s', async (setting) => {
    const { run, folder } = home();
    const refusal = await run(['config', 'set', ...setting.split(' ')]);
    expect(refusal).toMatchObject({ code: 2, stdout: '' });
    expect(existsSync(path.join(folder, 'config.json'))).toBe(false);
  });

  it('has an effect: the form of output, the size of pages', async () => {
    const server = await recordingServer('[{"_id":"d-1","created":1700000000}]', '[]');
    const { run } = home();
    await run(['config', 'set', 'output', 'jsonl']);
    await run(['config', 'set', 'page-size', '7']);
    const list = await run(['downloads', 'list', '--all'], server.env);
    expect(list.stdout).toBe('{"_id":"d-1","created":1700000000}\n');
    expect(server.requests[0]).toContain('resources=0-6');
  });
});

describe('doctor', () => {
  it('is content with a service that responds', async () => {
    const run = await marWith('[]', ['doctor', '--json']);
    const { ok, checks } = JSON.parse(run.stdout);
    expect([run.code, ok]).toEqual([0, true]);
    expect(checks.map(({ name }: { name: string }) => name).join(' ')).toBe(
      'Program Config Folders Profile Token Keychain Proxy Request',
    );
  });

  it('notices a refused login', async () => {
    const { code, stdout } = await marWith({ status: 401, body: '{}' }, ['doctor']);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^✗ Request/m);
  });

  it('explains that nobody is logged in, or that nothing listens', async () => {
    const nobody = await mar(['doctor']);
    expect(nobody).toMatchObject({ code: 4, stdout: expect.stringContaining('✗ Profile') });
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://127.0.0.1:1/api' };
    const stdout = expect.stringMatching(/^✗ Request +127\.0\.0\.1:1 /m);
    expect(await mar(['doctor'], { env })).toMatchObject({ code: 7, stdout });
  });

  it('breaks no word and no command on a screen', async () => {
    const { stdout } = await mar(['doctor', '--no-color'], { columns: 60 });
    expect(stdout).toContain(
      `✗ Profile   ${accountWords.notLoggedIn}\n            To log in, run: mar login\n`,
    );
    expect(stdout).toMatch(/^ {12}.*, run:\n {14}mar sandbox --background --login$/m);
    const lines = stdout.split('\n').filter((line) => line.length > 60);
    // A path has no place to break.
    for (const line of lines) expect(line).toMatch(/^(?: {12}|✓ \w+ +)(?:\w+: )?\S*\/\S*$/);
  });

  it('shows a proxy without its password', async () => {
    const proxy = `http://me:hunter2@${new URL((await recordingServer('[]')).baseUrl).host}`;
    const base = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://media.example/api' };
    const run = await mar(['doctor', '--allow-http'], { env: { ...base, HTTP_PROXY: proxy } });
    expect(run.stdout).toMatch(/^✓ Proxy +127\.0\.0\.1:\d+ leads to media\.example$/m);
    expect(run.stdout).not.toContain('hunter2');
  });
});

describe('a token', () => {
  it('that is gone from its store is named, with how to log in again', async () => {
    const { run, folder } = await loggedIn();
    rmSync(path.join(folder, 'tokens.json'));
    const stderr = await failure(4, run(['asset', 'get', 'a-1']));
    for (const fact of ['"default"', accountWords.tokenGone, 'mar login --insecure-storage\n'])
      expect(stderr).toContain(fact);
  });

  it('is missing if the default profile is gone', async () => {
    const { run, writeConfig } = home();
    writeConfig({ defaultProfile: 'gone', profiles: {} });
    expect(await failure(4, run(['asset', 'get', 'a-1']))).toContain(accountWords.notLoggedIn);
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
});

describe('whoami', () => {
  it('--check names the variable of a token that is not valid', async () => {
    const { code, stderr } = await marWith({ status: 401 }, ['whoami', '--check']);
    expect(code).toBe(4);
    expect(stderr).toMatch(new RegExp(`MAR_TOKEN .* ${email}`));
  });

  it('reports a MAR_TOKEN_FILE that does not exist', async () => {
    const own = { MAR_EMAIL: email, MAR_BASE_URL: 'https://media.example/api' };
    const { code, stdout, stderr } = await home().run(['whoami'], {
      ...own,
      MAR_TOKEN_FILE: '/no',
    });
    expect([code, stdout]).toEqual([2, expect.stringContaining(email)]);
    expect(stderr).toMatch(/^error: .* MAR_TOKEN_FILE \/no: .*\n$/);
  });
});

test('doctor prints what is wrong with a damaged configuration', async () => {
  const { folder, run } = home();
  writeFileSync(path.join(folder, 'config.json'), '{"profiles"');
  const { code, stdout } = await run(['doctor']);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^✗ Config {4}.*config\.json: /m);
});
