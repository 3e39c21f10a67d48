import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { home, session } from '../../harness/home.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import {
  account,
  credentialsOf,
  type RecordingServer,
  recordingServer,
} from '../../harness/recordingServer.ts';
import { accountWords } from '../../words/account.ts';

const get = ['asset', 'get', 'a-1001'];

const asked = ({ requests }: RecordingServer) => requests.map(credentialsOf);

/** Logs in to a server with a token, as a profile. */
async function loggedIn(server: RecordingServer, profile: string, token: string, folder: string) {
  const env = { MAR_CONFIG_DIR: folder };
  const argv = ['login', '--base-url', server.baseUrl, '--email', `${profile}@studio.example`];
  const flags = ['--profile', profile, '--token-stdin', '--insecure-storage'];
  await marOk([...argv, ...flags], { env, stdin: `${token}\n` });
  server.requests.length = 0;
  return env;
}

describe('a request', () => {
  it('carries the token of MAR_TOKEN, then of MAR_TOKEN_FILE, of the token-file, of the store', async () => {
    const server = await recordingServer('[]', '{}');
    const profile = await loggedIn(server, 'default', 'stored', temporaryFolder());
    const file = temporaryFile('filed', 'token');
    const fromFile = { ...profile, MAR_TOKEN_FILE: file, MAR_EMAIL: 'ci@studio.example' };
    for (const env of [{ ...fromFile, MAR_TOKEN: 'given' }, fromFile, profile]) {
      await marOk(get, { env });
    }
    await marOk(['config', 'set', 'token-file', file], { env: profile });
    await marOk(get, { env: profile });
    expect(asked(server)).toEqual([
      'ci@studio.example:token-given',
      'ci@studio.example:token-filed',
      'default@studio.example:token-stored',
      'default@studio.example:token-filed',
    ]);
  });

  it.each(['MAR_TOKEN', 'MAR_TOKEN_FILE'])(
    'carries the token of %s without the blanks around it',
    async (name) => {
      const server = await recordingServer('{}');
      const { MAR_TOKEN: _, ...env } = server.env;
      for (const text of ['token\n', ' token ', '\ttoken\r\n', '\ufefftoken\n']) {
        const value = name === 'MAR_TOKEN' ? text : temporaryFile(text, 'token');
        await marOk(get, { env: { ...env, [name]: value } });
      }
      expect(asked(server)).toEqual(Array(4).fill(`${account.MAR_EMAIL}:token-token`));
    },
  );

  it('goes to the service of its profile with the token of its profile', async () => {
    const folder = temporaryFolder();
    const one = await recordingServer('[]', '{}');
    const two = await recordingServer('[]', '{}');
    await loggedIn(one, 'one', 't1', folder);
    const env = await loggedIn(two, 'two', 't2', folder);
    expect((await mar(get, { env })).code).toBe(0);
    expect((await mar([...get, '--profile', 'two'], { env })).code).toBe(0);
    expect((await mar(get, { env: { ...env, MAR_PROFILE: 'two' } })).code).toBe(0);
    expect(asked(one)).toEqual(['one@studio.example:token-t1']);
    expect(asked(two)).toEqual(['two@studio.example:token-t2', 'two@studio.example:token-t2']);
  });

  it.each(['stduio', '__proto__', 'constructor', 'toString'])(
    'with the unknown profile %s is exit 4, and sends nothing',
    async (name) => {
      const server = await recordingServer('[]', '{}');
      const env = await loggedIn(server, 'studio', 't', temporaryFolder());
      const runs = [mar([...get, '--profile', name], { env })];
      runs.push(mar(get, { env: { ...env, MAR_PROFILE: name } }));
      for (const run of runs) {
        const stderr = await failure(4, run);
        for (const fact of [`"${name}" not found`, 'studio', `mar login --profile ${name}`])
          expect(stderr).toContain(fact);
      }
      expect(server.requests).toEqual([]);
    },
  );

  it.each<[variables: Record<string, string>, told: string]>([
    [{ MAR_TOKEN: 'x' }, 'MAR_TOKEN is set, but MAR_EMAIL is not'],
    [{ MAR_TOKEN_FILE: 'x' }, 'MAR_TOKEN_FILE is set, but MAR_EMAIL is not'],
    [{ MAR_TOKEN: 'x', MAR_EMAIL: 'a@b' }, 'MAR_TOKEN is set, but MAR_BASE_URL is not'],
  ])('with %j alone is exit 4', async (env, told) => {
    expect(await failure(4, mar(get, { env }))).toContain(`error: ${told}\n`);
  });

  it.each([
    [{ MAR_EMAIL: '' }, 'MAR_EMAIL is set, but empty'],
    [{ MAR_BASE_URL: '' }, 'MAR_BASE_URL is set, but empty'],
    [{ MAR_TOKEN: '' }, 'MAR_TOKEN is set, but empty'],
    [{ MAR_TOKEN_FILE: '' }, 'MAR_TOKEN_FILE is set, but empty'],
    [{ MAR_TOKEN: '', MAR_TOKEN_FILE: '/nonexistent/token' }, 'MAR_TOKEN is set, but empty'],
    [{ MAR_TOKEN: ' \n' }, `MAR_TOKEN ${accountWords.noToken}`],
    [{ MAR_TOKEN: 's3cret s3cret' }, `MAR_TOKEN ${accountWords.severalTokens}`],
    [{ MAR_BASE_URL: 'https://x/nope' }, ' https://x/nope '],
    [{ MAR_TOKEN: 'token-s3cret' }, `MAR_TOKEN ${accountWords.tokenWithPrefix}`],
  ])('with %j is exit 2, and sends nothing', async (variables, told) => {
    const server = await recordingServer('{}');
    const env = { ...server.env, ...variables };
    const stderr = await failure(2, mar(get, { env }));
    expect(stderr).toContain(told);
    expect(stderr).not.toContain('s3cret');
    expect((await mar(['whoami'], { env })).code).toBe(2);
    expect(server.requests).toEqual([]);
  });

  it('with an empty MAR_TOKEN does not use the login of the profile', async () => {
    const server = await recordingServer('[]', '{}');
    const env = await loggedIn(server, 'default', 'stored', temporaryFolder());
    const stderr = await failure(2, mar(get, { env: { ...env, MAR_TOKEN: '' } }));
    expect(stderr).toContain('unset MAR_TOKEN');
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['', accountWords.noToken],
    [' \r\n', accountWords.noToken],
    ['one\ntwo\n', accountWords.severalTokens],
    ['s3cret s3cret', accountWords.severalTokens],
    ['one\0', accountWords.severalTokens],
    ['token-s3cret\n', accountWords.tokenWithPrefix],
  ])('with a MAR_TOKEN_FILE of %j is exit 2: it %s', async (content, reason) => {
    const { MAR_TOKEN: _, ...env } = (await recordingServer('{}')).env;
    const own = { ...env, MAR_TOKEN_FILE: temporaryFile(content, 'token') };
    const stderr = await failure(2, mar(get, { env: own }));
    expect(stderr).toContain(`error: MAR_TOKEN_FILE ${reason}`);
    expect(stderr).not.toContain('s3cret');
  });

  it.each([
    ['MAR_TOKEN_FILE', 0o644, 'warning'],
    ['MAR_TOKEN_FILE', 0o600, 'ok'],
    ['token-file', 0o640, 'warning'],
    ['token-file', 0o400, 'ok'],
  ])('with a %s of mode %i warns if others can read it', async (from, mode, state) => {
    const server = await recordingServer('{}');
    const { env, writeConfig } = home();
    const file = temporaryFile('s3cret', 'my token');
    chmodSync(file, mode);
    const isVariable = from === 'MAR_TOKEN_FILE';
    const own = { baseUrl: server.baseUrl, email: 'ines@studio.example' };
    writeConfig({ profiles: { default: isVariable ? own : { ...own, tokenFile: file } } });
    const all = { ...env, ...(isVariable && { MAR_TOKEN_FILE: file }) };
    const { stderr } = await marOk(get, { env: all });
    const fix = `chmod 600 '${file}'`;
    if (state === 'ok') expect(stderr).toBe('');
    else expect(stderr).toMatch(/^warning: .*\n$/);
    const doctor = await mar(['doctor', '--json'], { env: all });
    const { checks } = JSON.parse(doctor.stdout);
    const found = checks.find(({ name }: { name: string }) => name === 'Token');
    expect(found).toMatchObject({ state });
    if (state === 'warning') for (const text of [stderr, found.hint]) expect(text).toContain(fix);
  });
});

describe('credentials', () => {
  it.each([
    ['--base-url', (url: string) => ({ flags: ['--base-url', url], env: {} })],
    ['MAR_BASE_URL', (url: string) => ({ flags: [], env: { MAR_BASE_URL: url } })],
  ])('of a profile go nowhere else by %s: exit 4, nothing sent', async (_way, elsewhere) => {
    const own = await recordingServer('[]', '{}');
    const other = await recordingServer('{}');
    const profile = await loggedIn(own, 'default', 't', temporaryFolder());
    const { flags, env } = elsewhere(other.baseUrl);
    for (const line of [
      'asset get a',
      'file list',
      'wr create --skip-checks --set a=1',
      'logout',
    ]) {
      const run = mar([...line.split(' '), ...flags], { env: { ...profile, ...env } });
      expect(await failure(4, run), line).toContain(new URL(other.baseUrl).origin);
    }
    expect([own.requests, other.requests]).toEqual([[], []]);
    expect((await mar(get, { env: profile })).code).toBe(0);
  });

  it('of MAR_TOKEN go to MAR_BASE_URL alone, or to --base-url where nothing else says it', async () => {
    const own = await recordingServer('{}');
    const other = await recordingServer('{}');
    const elsewhere = [...get, '--base-url', other.baseUrl];
    expect(await mar(elsewhere, own)).toMatchObject({ code: 4, stdout: '' });
    expect([own.requests, other.requests]).toEqual([[], []]);
    await marOk(elsewhere, { env: account });
    expect(asked(other)).toEqual([`${account.MAR_EMAIL}:token-${account.MAR_TOKEN}`]);
  });

  it('go to another path of the same origin', async () => {
    const server = await recordingServer('{}');
    const elsewhere = server.baseUrl.replace('/api', '/v2/api');
    await marOk([...get, '--base-url', elsewhere], server);
    expect(server.requests[0]).toMatch(/^GET \/v2\/api\/assets\/a-1001 /);
  });
});

describe('mar login', () => {
  it('keeps the token beside the config, and neither holds the password', async () => {
    const { login, folder } = home();
    const { stdout, stderr } = await login(await recordingServer(session('t0ken')), '--json');
    const config = readFileSync(path.join(folder, 'config.json'), 'utf8');
    const tokens = readFileSync(path.join(folder, 'tokens.json'), 'utf8');
    expect(tokens).toContain('t0ken');
    expect(config + stdout + stderr).not.toContain('t0ken');
    expect(config + tokens + stdout + stderr).not.toContain('secret');
  });

  it('with a token that does not work fails, and keeps nothing', async () => {
    const folder = temporaryFolder();
    const server = await recordingServer({ status: 401 });
    const argv = ['login', '--email', 'a@b', '--token-stdin', '--insecure-storage'];
    const env = { MAR_CONFIG_DIR: folder, MAR_BASE_URL: server.baseUrl };
    expect(await mar(argv, { env, stdin: 'bad' })).toMatchObject({ code: 4, stdout: '' });
    expect((await mar(['whoami'], { env: { MAR_CONFIG_DIR: folder } })).code).toBe(4);
  });
});
