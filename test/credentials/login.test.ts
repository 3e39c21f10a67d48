import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { home } from '../harness/home.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../harness/mar.ts';
import {
  account,
  credentialsOf,
  type RecordingServer,
  recordingServer,
} from '../harness/recordingServer.ts';

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
      const stderr = `error: profile "${name}" not found\n  Known profiles: studio\n  To create it, run: mar login --profile ${name}\n`;
      const refused = { code: 4, stdout: '', stderr };
      expect(await mar([...get, '--profile', name], { env })).toEqual(refused);
      expect(await mar(get, { env: { ...env, MAR_PROFILE: name } })).toEqual(refused);
      expect(server.requests).toEqual([]);
    },
  );

  it.each<[variables: Record<string, string>, told: string]>([
    [{ MAR_TOKEN: 'x' }, 'MAR_TOKEN is set, but MAR_EMAIL is not'],
    [{ MAR_TOKEN_FILE: 'x' }, 'MAR_TOKEN_FILE is set, but MAR_EMAIL is not'],
    [{ MAR_TOKEN: 'x', MAR_EMAIL: 'a@b' }, 'MAR_TOKEN is set, but MAR_BASE_URL is not'],
  ])('with %j alone is exit 4', async (env, told) => {
    const run = await mar(get, { env });
    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining(`error: ${told}\n`) });
  });

  it.each([
    [{ MAR_EMAIL: '' }, 2, 'MAR_EMAIL is set, but empty'],
    [{ MAR_BASE_URL: '' }, 2, 'MAR_BASE_URL is set, but empty'],
    [{ MAR_TOKEN: '' }, 2, 'MAR_TOKEN is set, but empty'],
    [{ MAR_TOKEN_FILE: '' }, 2, 'MAR_TOKEN_FILE is set, but empty'],
    [{ MAR_TOKEN: '', MAR_TOKEN_FILE: '/nonexistent/token' }, 2, 'MAR_TOKEN is set, but empty'],
    [{ MAR_TOKEN: ' \n' }, 2, 'MAR_TOKEN contains no token'],
    [{ MAR_TOKEN: 's3cret s3cret' }, 2, 'MAR_TOKEN contains more than one token'],
    [{ MAR_BASE_URL: 'https://x/nope' }, 2, 'does not end with /api'],
    [{ MAR_TOKEN: 'token-s3cret' }, 2, 'MAR_TOKEN starts with "token-"'],
  ])('with %j is exit %i, and sends nothing', async (variables, code, told) => {
    const server = await recordingServer('{}');
    const run = await mar(get, { env: { ...server.env, ...variables } });
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toContain(told);
    expect(run.stderr).not.toContain('s3cret');
    expect(server.requests).toEqual([]);
    expect(await mar(['whoami'], { env: { ...server.env, ...variables } })).toMatchObject({ code });
  });

  it('with an empty MAR_TOKEN does not use the login of the profile', async () => {
    const server = await recordingServer('[]', '{}');
    const env = await loggedIn(server, 'default', 'stored', temporaryFolder());
    const run = await mar(get, { env: { ...env, MAR_TOKEN: '' } });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toBe(
      'error: MAR_TOKEN is set, but empty\n  In CI, check that its secret exists and that this job can read it. To use the profile instead, unset MAR_TOKEN.\n',
    );
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['', 'contains no token'],
    [' \r\n', 'contains no token'],
    ['one\ntwo\n', 'contains more than one token'],
    ['s3cret s3cret', 'contains more than one token'],
    ['one\0', 'contains more than one token'],
    ['token-s3cret\n', 'starts with "token-"'],
  ])('with a MAR_TOKEN_FILE of %j is exit 2: it %s', async (content, reason) => {
    const { MAR_TOKEN: _, ...env } = (await recordingServer('{}')).env;
    const own = { ...env, MAR_TOKEN_FILE: temporaryFile(content, 'token') };
    const run = await mar(get, { env: own });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`error: MAR_TOKEN_FILE ${reason}`);
    expect(run.stderr).not.toContain('s3cret');
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
    const own = { baseUrl: server.baseUrl, email: 'ines@studio.example' };
    const isVariable = from === 'MAR_TOKEN_FILE';
    writeConfig({ profiles: { default: isVariable ? own : { ...own, tokenFile: file } } });
    const all = { ...env, ...(isVariable && { MAR_TOKEN_FILE: file }) };
    const run = await mar(get, { env: all });
    const fix = `to prevent that, run: chmod 600 '${file}'\n`;
    expect(run).toMatchObject({
      code: 0,
      stderr: state === 'ok' ? '' : `warning: other users can read your token; ${fix}`,
    });
    const doctor = await mar(['doctor', '--json'], { env: all });
    const found = JSON.parse(doctor.stdout).checks.find(
      ({ name }: { name: string }) => name === 'Token',
    );
    expect(found).toMatchObject({ state });
    if (state === 'warning') expect(found.hint).toContain(`chmod 600 '${file}'`);
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
    const commands = [
      get,
      ['file', 'list'],
      ['wr', 'create', '--skip-checks', '--set', 'a=1'],
      ['logout'],
    ];
    for (const argv of commands) {
      const run = await mar([...argv, ...flags], { env: { ...profile, ...env } });
      expect(run, argv.join(' ')).toMatchObject({ code: 4, stdout: '' });
      expect(run.stderr).toContain(new URL(other.baseUrl).origin);
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
  const login = (server: RecordingServer, stdin: string, folder = temporaryFolder()) =>
    mar(
      ['login', '--email', account.MAR_EMAIL, '--password-stdin', '--insecure-storage', '--json'],
      { env: { MAR_CONFIG_DIR: folder, MAR_BASE_URL: server.baseUrl }, stdin },
    );

  it('keeps the token beside the config, and neither holds the password', async () => {
    const folder = temporaryFolder();
    const server = await recordingServer('{"token":"t0ken","email":"Ines@northlight.example"}');
    const run = await login(server, 'open sesame\n', folder);
    expect(run.code, run.stderr).toBe(0);
    const config = readFileSync(path.join(folder, 'config.json'), 'utf8');
    const tokens = readFileSync(path.join(folder, 'tokens.json'), 'utf8');
    expect(tokens).toContain('t0ken');
    expect(config + run.stdout + run.stderr).not.toContain('t0ken');
    expect(config + tokens + run.stdout + run.stderr).not.toContain('sesame');
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
