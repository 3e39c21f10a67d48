import { describe, expect, it } from 'vitest';
import { localSource } from '../../src/completion/candidates.ts';
import { email, home, loggedIn, session } from '../harness/home.ts';
import { mar, startMar } from '../harness/mar.ts';
import { type CannedResponse, recordingServer } from '../harness/recordingServer.ts';

/** Logged in to two services, as `default` and as `staging`. */
async function twoProfiles(...responses: CannedResponse[]) {
  const production = await recordingServer(session('t-1'), '{"_id":"production"}');
  const staging = await recordingServer(session('t-2'), ...responses);
  const own = home();
  await own.login(production);
  await own.login(staging, '--profile', 'staging');
  const completed = () =>
    localSource(own.env, 'linux')
      .profiles()
      .map(({ value }) => value);
  return { ...own, production, staging, completed };
}

const get = ['asset', 'get', 'a-1', '--columns', '_id'];

describe('profile list', () => {
  it('shows the account, the service and the token of each, and the one in use', async () => {
    const { run, folder, production, staging } = await twoProfiles();
    await run(['logout', '--local', '--profile', 'staging']);
    const { stdout } = await run(['profile', 'list', '--json']);
    const token = `${folder}/tokens.json`;
    expect(JSON.parse(stdout)).toEqual([
      { name: 'default', inUse: true, email, baseUrl: production.baseUrl, token },
      { name: 'staging', inUse: false, email, baseUrl: staging.baseUrl, token: 'logged out' },
    ]);
    const rows = (await run(['profile', 'list'], { MAR_PROFILE: 'staging' })).stdout;
    expect(rows).toMatch(/^default\tfalse\t.*\nstaging\ttrue\t/);
  });

  it('explains how to create the first one', async () => {
    const run = await home().run(['profiles', 'list']);
    expect(run).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No profiles yet. To create one, run: mar login\n',
    });
  });
});

describe('profile use', () => {
  it('makes commands use another profile', async () => {
    const { run, staging } = await twoProfiles('{"_id":"staging"}');
    expect(await run(['profile', 'use', 'staging'])).toEqual({
      code: 0,
      stdout: `The default profile is now "staging": ${email} at ${staging.baseUrl}\n`,
      stderr: '',
    });
    expect((await run(get)).stdout).toBe('_id\tstaging\n');
    await run(['config', 'set', 'default-profile', 'default']);
    expect((await run(get)).stdout).toBe('_id\tproduction\n');
  });

  it('warns that MAR_PROFILE wins', async () => {
    const { run } = await twoProfiles();
    const { stderr } = await run(['profile', 'use', 'staging'], { MAR_PROFILE: 'default' });
    expect(stderr).toBe(
      'warning: MAR_PROFILE is set, so commands in this shell use profile "default". To use the default, run: unset MAR_PROFILE\n',
    );
  });

  it.each([['use'], ['rename', 'x'], ['remove']])(
    '%s of an unknown profile names those that exist, and changes nothing',
    async (verb, ...more) => {
      const { run, config } = await twoProfiles();
      const before = config();
      const { code, stderr } = await run(['profile', verb ?? '', 'stagign', ...more]);
      expect(code).toBe(2);
      expect(stderr).toContain('profile "stagign" not found\n  Known profiles: default, staging');
      expect(config()).toEqual(before);
    },
  );
});

describe('profile rename', () => {
  it('keeps the login, the order and the default, and Tab knows the new name', async () => {
    const { run, tokens, config, completed } = await twoProfiles();
    const before = tokens();
    const renamed = await run(['profile', 'rename', 'default', 'production']);
    expect(renamed).toMatchObject({ code: 0, stderr: '' });
    expect(renamed.stdout).toBe('Renamed profile "default" to "production"\n');
    expect(tokens()).toEqual(before);
    expect(config().defaultProfile).toBe('production');
    expect(completed()).toEqual(['production', 'staging']);
    expect((await run(get)).stdout).toBe('_id\tproduction\n');
  });

  it('keeps the profile "default" the default one if no setting names another', async () => {
    const { run, config, writeConfig } = await twoProfiles();
    const { profiles } = config();
    writeConfig({ profiles });
    await run(['profile', 'rename', 'default', 'production']);
    expect((await run(get)).stdout).toBe('_id\tproduction\n');
  });

  it.each([
    ['staging', 'profile "staging" exists already'],
    ['a b', 'invalid profile name "a b"'],
    ['__proto__', 'invalid profile name "__proto__"'],
  ])('to %s is refused', async (name, message) => {
    const { run, config } = await twoProfiles();
    const before = config();
    const { code, stderr } = await run(['profile', 'rename', 'default', name]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(config()).toEqual(before);
  });
});

describe('profile remove', () => {
  it('revokes the token, deletes it, and removes the profile', async () => {
    const { run, staging, tokens, completed } = await twoProfiles({ status: 204 });
    expect(await run(['profile', 'remove', 'staging'])).toEqual({
      code: 0,
      stdout: 'Removed profile "staging". Its token was revoked\n',
      stderr: '',
    });
    expect(staging.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(Object.values(tokens())).toEqual(['t-1']);
    expect(completed()).toEqual(['default']);
  });

  it('keeps all of it if the service fails, until --local', async () => {
    const { run, config, tokens } = await twoProfiles({ status: 503, body: '{}' });
    const { code, stderr } = await run(['profile', 'remove', 'staging']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The profile was kept. To remove it without revoking its token, run: mar profile remove staging --local\n',
    );
    expect(Object.values(tokens())).toEqual(['t-1', 't-2']);
    expect(Object.keys(config().profiles)).toEqual(['default', 'staging']);
    const local = await run(['profile', 'remove', 'staging', '--local']);
    expect(local.stdout).toContain('deleted here, but the service still accepts it');
    expect(Object.values(tokens())).toEqual(['t-1']);
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

  it('revokes at the service that issued the token, not at the new base URL', async () => {
    const { run, staging, tokens } = await twoProfiles({ status: 204 });
    const other = await recordingServer('{}');
    await run(['config', 'set', 'base-url', other.baseUrl, '--profile', 'staging']);
    expect(await run(['profile', 'remove', 'staging'])).toMatchObject({ code: 0 });
    expect(staging.requests[1]).toMatch(/^DELETE \/api\/session /);
    expect(other.requests).toEqual([]);
    expect(Object.values(tokens())).toEqual(['t-1']);
  });

  it('of the default shows how to choose another one, if no profile is called "default"', async () => {
    const { run } = await twoProfiles();
    const { stderr } = await run(['profile', 'remove', 'default', '--local']);
    expect(stderr).toBe('It was the default. To choose another one, run: mar profile use NAME\n');
  });

  it('of the default keeps "default" the default, also after the next login', async () => {
    const { run, login, production } = await twoProfiles({ status: 204 }, session('t-3'));
    await run(['profile', 'use', 'staging']);
    const removed = await run(['profile', 'remove', 'staging']);
    expect(removed.stderr).toContain('It was the default. Commands now use profile "default": ');
    const { stderr } = await login(await recordingServer(session('t-4')), '--profile', 'w');
    expect(stderr).toContain('Commands still use profile "default" unless you add --profile w.');
    expect(stderr).not.toContain('The default profile is now');
    expect((await run(get)).stdout).toBe('_id\tproduction\n');
    expect(production.requests).toHaveLength(2);
  });
});

describe('a login that changes the default profile', () => {
  it('reports it if no other profile is the default', async () => {
    const { login } = home();
    const first = await login(await recordingServer(session('t-1')), '--profile', 'w');
    expect(first.stderr).toContain('The default profile is now "w"\n');
    const second = await login(await recordingServer(session('t-2')), '--profile', 'x');
    expect(second.stderr).not.toContain('The default profile is now');
  });

  it('reports it after the default was removed', async () => {
    const { run, login, config } = await twoProfiles();
    await run(['profile', 'remove', 'default', '--local']);
    const { stderr } = await login(await recordingServer(session('t-4')), '--profile', 'w');
    expect(stderr).toContain('The default profile is now "w"\n');
    expect(config().defaultProfile).toBe('w');
  });
});

describe('a profile that is named', () => {
  it.each([
    ['--profile', ['--profile', 'staging'], {}],
    ['MAR_PROFILE', [], { MAR_PROFILE: 'staging' }],
  ])('by %s is not overruled by the environment', async (_way, flags, variables) => {
    const { run, production, staging } = await twoProfiles('{"_id":"staging"}');
    const sent = production.requests.length;
    const account = { MAR_TOKEN: 't-3', MAR_EMAIL: email, MAR_BASE_URL: production.baseUrl };
    const refused = await run([...get, ...flags], { ...account, ...variables });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(staging.baseUrl);
    expect(refused.stderr).toContain(production.baseUrl);
    const other = { MAR_TOKEN: 't-3', MAR_EMAIL: 'greta@northlight.example' };
    const asOther = await run([...get, ...flags], { ...other, ...variables });
    expect(asOther).toMatchObject({ code: 2, stdout: '' });
    expect(asOther.stderr).toContain('MAR_EMAIL is greta@northlight.example');
    expect(production.requests).toHaveLength(sent);
    // A token for the same account at the same service is no contradiction.
    const same = { ...account, MAR_BASE_URL: staging.baseUrl, ...variables };
    expect((await run([...get, ...flags], same)).stdout).toContain('staging');
  });

  it('needs a name', async () => {
    const { run, production } = await twoProfiles();
    const sent = production.requests.length;
    expect(await run([...get, '--profile', ''])).toMatchObject({ code: 2, stdout: '' });
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
    const hint = (argv: string[]) => run([...argv, ...flags], variables);
    const login = 'run: mar login --profile staging\n';
    expect((await hint(['asset', 'get', 'a-1'])).stderr).toContain(login);
    const { error } = JSON.parse((await hint(['asset', 'get', 'a-1', '--json'])).stderr);
    expect(`${error.hint}\n`).toContain(login);
    expect((await hint(['doctor'])).stdout).toContain(login);
    expect((await hint(['wr', 'list'])).stderr).toContain('run: mar today --profile staging\n');
    const unreachable = ['asset', 'get', 'a-1', '--base-url', 'http://127.0.0.1:1/api'];
    expect((await hint(unreachable)).stderr).toContain(
      'run: mar login --base-url http://127.0.0.1:1/api --profile staging\n',
    );
    await run(['logout', '--local', ...flags], variables);
    expect((await hint(['whoami'])).stderr).toContain(
      `${login}  To try mar with demo data on this machine, run: mar sandbox --background --login\n`,
    );
  });

  it('name the profile in the check after a write with an unknown outcome', async () => {
    const { run } = await twoProfiles({ raw: '', afterwards: 'close' });
    const argv = ['file', 'upload-meta', '--set', 'name=x', '--profile', 'staging'];
    expect((await run(argv)).stderr).toContain('(mar file list --all --profile staging)');
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

it('mar sandbox prints a login line for a profile of its own', async () => {
  const own = home();
  const line = async () => {
    const sandbox = startMar(['sandbox', '--ephemeral'], { env: own.env });
    await sandbox.stdout.until('mar login');
    sandbox.signal('SIGINT');
    await sandbox.ended;
    return sandbox.stdout.text;
  };
  expect(await line()).toMatch(/echo \S+ \| mar login --profile sandbox .*--insecure-storage\n/);
  const sandboxAt = (baseUrl: string) =>
    own.writeConfig({ profiles: { sandbox: { baseUrl, email } } });
  sandboxAt('http://127.0.0.1:4000/api');
  expect(await line()).toMatch(/--insecure-storage --replace\n/);
  sandboxAt('https://sandbox.media.example/api');
  expect(await line()).not.toContain('--replace');
});

it('help of profile commands offers no --profile', async () => {
  expect((await mar(['profile', 'use', '--help'])).stdout).not.toContain('--profile');
});
