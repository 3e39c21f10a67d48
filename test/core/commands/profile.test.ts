import { describe, expect, it } from 'vitest';
import { localSource } from '../../../src/completion/completeWord.ts';
import { email, home, loggedIn, session } from '../../harness/home.ts';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { type CannedResponse, recordingServer } from '../../harness/recordingServer.ts';
import { accountWords } from '../../words/account.ts';

const get = ['asset', 'get', 'a-1'];

/** Logged in to two services, as `default` and as `staging`. */
async function twoProfiles(...responses: CannedResponse[]) {
  const production = await recordingServer(session('t-1'), '{"_id":"production"}');
  const staging = await recordingServer(session('t-2'), ...responses);
  const own = home();
  await own.login(production);
  await own.login(staging, '--profile', 'staging');
  const completed = () =>
    localSource({ env: own.env, platform: 'linux' })
      .profiles()
      .map(({ value }) => value);
  const read = async () => (await own.run([...get, '--jq', '._id'])).stdout.trim();
  return { ...own, production, staging, completed, read };
}

it('profile list shows the account, the service and the token of each, and the one in use', async () => {
  const { run, env, folder, production, staging } = await twoProfiles();
  await run(['logout', '--local', '--profile', 'staging']);
  const { stdout } = await run(['profile', 'list', '--json']);
  const token = `${folder}/tokens.json`;
  expect(JSON.parse(stdout)).toEqual([
    { name: 'default', inUse: true, email, baseUrl: production.baseUrl, token },
    { name: 'staging', inUse: false, email, baseUrl: staging.baseUrl, token: 'logged out' },
  ]);
  const rows = (await run(['profile', 'list'], { MAR_PROFILE: 'staging' })).stdout;
  expect(rows).toMatch(/^default\tfalse\t.*\nstaging\ttrue\t/);
  const screen = await mar(['profile', 'list', '--no-color'], { env, columns: 60 });
  expect(screen.stdout).toMatch(/^PROFILE +IN USE .*\ndefault +yes /);
  const first = await home().run(['profiles', 'list']);
  expect(first).toMatchObject({ code: 0, stdout: '' });
  expect(first.stderr).toContain('run: mar login');
});

describe('profile use', () => {
  it('makes commands use another profile, but MAR_PROFILE wins', async () => {
    const { run, staging, read } = await twoProfiles('{"_id":"staging"}');
    const { code, stdout } = await run(['profile', 'use', 'staging']);
    expect(code).toBe(0);
    expect(stdout).toContain(`"staging": ${email} at ${staging.baseUrl}\n`);
    expect(await read()).toBe('staging');
    await run(['profile', 'use', 'default']);
    expect(await read()).toBe('production');
    const { stderr } = await run(['profile', 'use', 'staging'], { MAR_PROFILE: 'default' });
    expect(stderr).toMatch(/^warning: MAR_PROFILE .* unset MAR_PROFILE\.\n$/);
  });

  it.each([
    ['use stagign', /"stagign" not found\n.*: default, staging$/m],
    ['rename stagign x', /"stagign" not found\n.*: default, staging$/m],
    ['remove stagign', /"stagign" not found\n.*: default, staging$/m],
    ['rename default staging', /"staging" exists/],
    ['rename default a/b', /invalid .* "a\/b"/],
    ['rename default __proto__', /invalid .* "__proto__"/],
  ])('%s is refused, and changes nothing', async (words, facts) => {
    const { run, config } = await twoProfiles();
    const before = config();
    expect(await failure(2, run(['profile', ...words.split(' ')]))).toMatch(facts);
    expect(config()).toEqual(before);
  });
});

it('profile rename keeps the login, the order and the default, and Tab knows the new name', async () => {
  const { run, read, tokens, config, writeConfig, completed } = await twoProfiles();
  const before = tokens();
  const renamed = await run(['profile', 'rename', 'default', 'production']);
  expect(renamed).toMatchObject({ code: 0, stderr: '' });
  expect(tokens()).toEqual(before);
  expect(config().defaultProfile).toBe('production');
  expect(completed()).toEqual(['production', 'staging']);
  expect(await read()).toBe('production');
  // Without a setting, the profile "default" is the default one, and stays it.
  await run(['profile', 'rename', 'production', 'default']);
  writeConfig({ profiles: config().profiles });
  await run(['profile', 'rename', 'default', 'production']);
  expect(await read()).toBe('production');
});

describe('profile remove', () => {
  it('revokes the token where it was issued, deletes it, and removes the profile', async () => {
    const { run, staging, tokens, completed } = await twoProfiles({ status: 204 });
    const removed = await run(['profile', 'remove', 'staging']);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(staging.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(Object.values(tokens())).toEqual(['t-1']);
    expect(completed()).toEqual(['default']);
  });

  it('keeps all of it if the service fails, until --local', async () => {
    const { run, config, tokens } = await twoProfiles({ status: 503, body: '{}' });
    const stderr = await failure(1, run(['profile', 'remove', 'staging']));
    expect(stderr).toContain('run: mar profile remove staging --local\n');
    expect(Object.values(tokens())).toEqual(['t-1', 't-2']);
    expect(Object.keys(config().profiles)).toEqual(['default', 'staging']);
    const local = await run(['profile', 'remove', 'staging', '--local']);
    expect(local.stdout).toContain(accountWords.revokedNowhere);
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('does not recommend --local after --local', async () => {
    const { run, writeConfig } = home();
    const baseUrl = 'http://127.0.0.1:9/api';
    writeConfig({ profiles: { x: { baseUrl, email, store: 'keychain' } } });
    const removed = await run(['profile', 'remove', 'x', '--local']);
    expect(removed).toMatchObject({ code: 10, stderr: expect.not.stringContaining('--local') });
  });

  it('leaves a token that another profile uses', async () => {
    const { run, login, tokens, server } = await loggedIn(session('t-1'), '{"_id":"a-1"}');
    await login(server, '--profile', 'again');
    expect(await run(['profile', 'remove', 'again'])).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(2);
    expect(Object.values(tokens())).toEqual(['t-1']);
    expect((await run(get)).code).toBe(0);
  });

  it('works again after a run that was killed in between', async () => {
    const { run, config, staging } = await twoProfiles({ status: 401, body: '{}' });
    // Revoked, but not deleted: the service no longer knows the token.
    expect(await run(['profile', 'remove', 'staging'])).toMatchObject({ code: 0 });
    const own = home();
    // Deleted, but the profile is still there.
    own.writeConfig({ profiles: { x: { baseUrl: staging.baseUrl, email, store: 'file' } } });
    expect(await own.run(['profile', 'remove', 'x'])).toMatchObject({ code: 0 });
    expect(own.config().profiles).toEqual({});
    expect(Object.keys(config().profiles)).toEqual(['default']);
  });

  it('of the default shows how to choose another one, if no profile is called "default"', async () => {
    const { run, login, config } = await twoProfiles();
    const { stderr } = await run(['profile', 'remove', 'default', '--local']);
    expect(stderr).toContain('run: mar profile use staging\n');
    const next = await login(await recordingServer(session('t-4')), '--profile', 'w');
    expect(next.stderr).toContain(`${accountWords.defaultIsNow} "w"\n`);
    expect(config().defaultProfile).toBe('w');
  });

  it('of the default keeps "default" the default, also after the next login', async () => {
    const { run, read, login, production } = await twoProfiles({ status: 204 }, session('t-3'));
    await run(['profile', 'use', 'staging']);
    const removed = await run(['profile', 'remove', 'staging']);
    expect(removed.stderr).toContain(`"default": ${email} at ${production.baseUrl}`);
    const { stderr } = await login(await recordingServer(session('t-4')), '--profile', 'w');
    expect(stderr).toMatch(/"default" .* --profile w\./);
    expect(stderr).not.toContain(accountWords.defaultIsNow);
    expect(await read()).toBe('production');
  });
});

it('the first login is the default profile, and says so', async () => {
  const { login } = home();
  const first = await login(await recordingServer(session('t-1')), '--profile', 'w');
  expect(first.stderr).toContain(`${accountWords.defaultIsNow} "w"\n`);
  const second = await login(await recordingServer(session('t-2')), '--profile', 'x');
  expect(second.stderr).not.toContain(accountWords.defaultIsNow);
});

describe('a profile that is named', () => {
  it.each([
    ['--profile', ['--profile', 'staging'], {}],
    ['MAR_PROFILE', [], { MAR_PROFILE: 'staging' }],
  ])('by %s is not overruled by the environment', async (_way, flags, variables) => {
    const { run, production, staging } = await twoProfiles('{"_id":"staging"}');
    const sent = production.requests.length;
    const as = (account: object) => run([...get, ...flags], { ...account, ...variables });
    const token = { MAR_TOKEN: 't-3', MAR_EMAIL: email };
    const elsewhere = await failure(2, as({ ...token, MAR_BASE_URL: production.baseUrl }));
    expect(elsewhere).toContain(staging.baseUrl);
    expect(elsewhere).toContain(production.baseUrl);
    const asOther = await failure(2, as({ ...token, MAR_EMAIL: 'greta@northlight.example' }));
    expect(asOther).toContain('MAR_EMAIL is greta@northlight.example');
    expect(production.requests).toHaveLength(sent);
    // A token for the same account at the same service is no contradiction.
    const same = await as({ ...token, MAR_BASE_URL: staging.baseUrl });
    expect(same.stdout).toContain('staging');
  });

  it('needs a name', async () => {
    const { run, production } = await twoProfiles();
    const sent = production.requests.length;
    await failure(2, run([...get, '--profile', '']));
    expect(production.requests).toHaveLength(sent);
  });
});

describe('hints', () => {
  it.each([
    ['--profile', ['--profile', 'staging'], {}],
    ['--profile=', ['--profile=staging'], {}],
    ['MAR_PROFILE', [], { MAR_PROFILE: 'staging' }],
  ])('name the profile of %s', async (_way, flags, variables) => {
    const { run } = await twoProfiles({ status: 401, body: '{}' });
    const hint = (argv: string) => run([...argv.split(' '), ...flags], variables);
    const login = 'run: mar login --insecure-storage --profile staging\n';
    expect((await hint('asset get a-1')).stderr).toContain(login);
    const { error } = JSON.parse((await hint('asset get a-1 --json')).stderr);
    expect(`${error.hint}\n`).toContain(login);
    expect((await hint('doctor')).stdout).toContain(login);
    const other = '--base-url http://127.0.0.1:1/api';
    const unreachable = await hint(`asset get a-1 ${other}`);
    expect(unreachable.stderr).toContain(`run: mar login ${other} --profile staging\n`);
    await run(['logout', '--local', ...flags], variables);
    const { stderr } = await hint('whoami');
    expect(stderr).toContain('run: mar login --profile staging\n');
    expect(stderr).toContain('run: mar sandbox --background --login\n');
  });

  it('name the profile in the check after a write with an unknown outcome', async () => {
    const { run } = await twoProfiles({ raw: '', afterwards: 'close' });
    const argv = ['file', 'upload-meta', '--set', 'name=x', '--profile', 'staging'];
    expect((await run(argv)).stderr).toContain('run: mar file list --all --profile staging\n');
  });

  it('name no profile that was not given', async () => {
    const { run } = await twoProfiles('{}');
    await run(['logout', '--local']);
    expect((await run(['whoami'])).stderr).toContain('run: mar login\n');
  });

  it('of logout --all name the profile of each failure', async () => {
    const { run } = await twoProfiles({ status: 500, body: '{}' });
    const { stderr } = await run(['logout', '--all'], { MAR_PROFILE: 'default' });
    expect(stderr).toContain('run: mar logout --local --profile staging\n');
  });
});

it('help of profile commands offers no --profile', async () => {
  expect((await mar(['profile', 'use', '--help'])).stdout).not.toContain('--profile');
});
