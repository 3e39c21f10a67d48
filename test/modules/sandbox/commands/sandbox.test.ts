import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, configFile } from '../../../../src/core/config/configFile.ts';
import { parse } from '../../../../src/program/parse.ts';
import { isRunning } from '../../../harness/isRunning.ts';
import { mar, marOk, startMar, temporaryFile, temporaryFolder } from '../../../harness/mar.ts';
import { failure } from '../../../harness/marWith.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { sandboxWords } from '../../../words/sandbox.ts';
import { removeTemplate } from '../harness.ts';
import { sandboxHome, startSandbox as start } from './sandboxHome.ts';

afterAll(removeTemplate);

async function home() {
  const { env, dataDir } = await sandboxHome();
  const readConfig = (): Config => configFile(env.MAR_CONFIG_DIR).read();
  const run = (...argv: string[]) => mar(argv, { env });
  const sandbox = (...argv: string[]) => mar(['sandbox', ...argv], { env });
  /** The profile, and that it is logged in or not. */
  const check = () => run('whoami', '--check', ...sandboxProfile);
  return { env, dataDir, readConfig, run, sandbox, check };
}

/** A home with a profile, which is in use for this address. */
async function homeWith(name: string, baseUrl: string, email: string) {
  const own = await home();
  const profiles = { [name]: { baseUrl, email, store: 'file' } };
  mkdirSync(own.env.MAR_CONFIG_DIR, { recursive: true });
  writeFileSync(path.join(own.env.MAR_CONFIG_DIR, 'config.json'), JSON.stringify({ profiles }));
  return { ...own, profiles };
}

/** A running sandbox, about which `running.json` has this content. */
async function startWith(content: object) {
  const { env, dataDir, sandbox } = await home();
  await start(env);
  writeFileSync(path.join(dataDir, 'running.json'), JSON.stringify(content));
  return { dataDir, run: sandbox };
}

const sandboxProfile = ['--profile', 'sandbox'];
const notRunning = (dataDir: string) => ({
  code: 0,
  stdout: `${sandboxWords.notRunning(dataDir)}\n`,
});

describe('mar sandbox --login', () => {
  it('logs the profile sandbox in, with the token in its own folder', async () => {
    const { env, dataDir, readConfig, run } = await home();
    const { baseUrl, profile } = await start(env, '--login');
    expect(profile).toBe('sandbox');
    const tokenFile = path.join(dataDir, 'token');
    const sandbox = { baseUrl, email: 'ines@northlight.example', tokenFile };
    expect(readConfig().profiles).toEqual({ sandbox });
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(existsSync(path.join(env.MAR_CONFIG_DIR, 'tokens.json'))).toBe(false);
    const read = await run('wr', 'get', 'wr-2001', '--jq', '._id', ...sandboxProfile);
    expect(read).toMatchObject({ code: 0, stdout: 'wr-2001\n' });
  });

  it('warns that the profile was for a sandbox with other data', async () => {
    const { env } = await home();
    const first = await start(env, '--login');
    expect(first.run.stderr.text).not.toContain('warning');
    const second = await start(env, '--login', '--data', temporaryFolder());
    expect(second.run.stderr.text).toContain(`was the sandbox at ${first.baseUrl}`);
  });

  it('works again after a restart on another port, also without --login, and after a reset', async () => {
    const { env, readConfig, sandbox, check } = await home();
    const first = await start(env, '--login');
    await first.stop();
    const second = await start(env);
    expect(second.baseUrl).not.toBe(first.baseUrl);
    expect(readConfig().profiles?.sandbox?.baseUrl).toBe(second.baseUrl);
    expect(await check()).toMatchObject({ code: 0 });
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0 });
    await second.stop();
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    await start(env);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('knows no asset of the data from before a reset', async () => {
    const { env, run, sandbox } = await home();
    await start(env, '--login');
    const put = (name: string) =>
      run('asset', 'put', 'a-1008', '--set', `name=${name}`, '--yes', ...sandboxProfile);
    expect((await put('A')).code).toBe(0);
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect((await put('B')).code).toBe(0);
  });

  it('gets a new token if the one in the folder was revoked', async () => {
    const { env, run, sandbox, check } = await home();
    await start(env, '--login');
    expect((await run('api', 'DELETE', '/session', ...sandboxProfile)).code).toBe(0);
    expect(await failure(4, check())).toContain('run: mar sandbox --background --login');
    const renewed = await sandbox('--background', '--login');
    expect(renewed).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0 });
  });

  it.each([
    ['was revoked', ['api', 'DELETE', '/session'], []],
    [
      'was of another e-mail',
      ['user', 'put', 'u-ines', '--set', 'emailNormal=other@northlight.example', '--yes'],
      ['--login'],
    ],
  ])('works again after a reset if the token %s', async (_, change, flags) => {
    const { env, run, sandbox, check } = await home();
    const first = await start(env, '--login');
    expect((await run(...change, ...sandboxProfile)).code).toBe(0);
    await first.stop();
    await start(env, ...flags);
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('points all its profiles to the address of a restart', async () => {
    const { env, readConfig } = await home();
    await (await start(env, '--login')).stop();
    await (await start(env, '--login', '--profile', 'second')).stop();
    const { baseUrl } = await start(env);
    const profiles = Object.values(readConfig().profiles ?? {});
    expect(profiles.map((profile) => profile.baseUrl)).toEqual([baseUrl, baseUrl]);
  });

  it.each([
    ['a tunnel on this machine', 'http://127.0.0.1:8080/api', 'work', ['--profile', 'work']],
    ['another machine', 'https://media.example/api', 'sandbox', []],
  ])('does not replace a profile for %s, and starts nothing', async (_, baseUrl, name, flags) => {
    const own = await homeWith(name, baseUrl, 'me@studio.example');
    const stderr = await failure(2, own.sandbox('--login', ...flags));
    expect(stderr).toContain(`"${name}" is me@studio.example at ${baseUrl}`);
    expect(stderr).toContain(`mar profile rename ${name} NAME`);
    expect(own.readConfig()).toEqual({ profiles: own.profiles });
    expect(existsSync(path.join(own.dataDir, 'token'))).toBe(false);
    expect((await start(own.env, '--login', '--profile', 'demo')).profile).toBe('demo');
    expect(own.readConfig().profiles).toMatchObject(own.profiles);
  });

  it('replaces a login to an earlier sandbox', async () => {
    const email = 'ines@northlight.example';
    const { env, readConfig } = await homeWith('sandbox', 'http://127.0.0.1:1/api', email);
    const { baseUrl } = await start(env, '--login');
    expect(Object.keys(readConfig().profiles ?? {})).toEqual(['sandbox']);
    expect(readConfig().profiles?.sandbox).toMatchObject({ baseUrl, email });
  });

  it('points the profile to another sandbox, also while the first one runs', async () => {
    const { env, readConfig } = await home();
    await start(env, '--login');
    const second = await start(env, '--login', '--ephemeral');
    expect(readConfig().profiles?.sandbox).toMatchObject({ baseUrl: second.baseUrl });
  });

  it('logs in to a running sandbox again, also by another path of its folder', async () => {
    const { env, dataDir, readConfig } = await home();
    const { baseUrl } = await start(env, '--login');
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(dataDir, link);
    for (const data of [[], ['--data', link]]) {
      await marOk(['sandbox', '--background', '--login', ...data], { env });
    }
    expect(readConfig().profiles?.sandbox?.baseUrl).toBe(baseUrl);
  });

  it('prints no password and no login command', async () => {
    const { env } = await home();
    const run = startMar(['sandbox', '--login', '--port', '0'], { env });
    await run.stdout.until('mar today');
    run.signal('SIGINT');
    const { stdout } = await run.ended;
    expect(stdout).toMatch(/ mar today --profile sandbox\n$/);
    expect(stdout).not.toMatch(/open-sesame|password|mar login/i);
  });

  /** Starts it as people do, and returns what it says on standard error. */
  async function logIn(env: Record<string, string>) {
    const run = startMar(['sandbox', '--login'], { env });
    await run.stdout.until('mar today');
    const stop = async () => {
      run.signal('SIGINT');
      return (await run.ended).stderr;
    };
    return { stop };
  }

  it('puts the demo work requests on the list of mar today, once, and says so', async () => {
    const { env } = await home();
    const first = await logIn(env);
    const { stdout } = await mar(['today', '--no-color'], { env, columns: 80 });
    expect(stdout).toMatch(/^ {2}ID .*\nLate \(2\)\n {2}wr-2011 .*\n {4}waits for /);
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(24);
    expect(await first.stop()).toContain(sandboxWords.onYourList(16));
    const second = await logIn(env);
    expect(await second.stop()).not.toContain(sandboxWords.onYourList(1).slice(0, 4));
  });

  it('follows no work request of the data from before a reset', async () => {
    const { env, run, sandbox } = await home();
    const first = await start(env, '--login');
    const followed = async () =>
      (await run('wr', 'track', '--columns', 'id', ...sandboxProfile)).stdout.split('\n').sort();
    const asked = await followed();
    const order = ['--asset', 'a-1001', '--language', 'ita', '--skip-checks', '--yes'];
    const create = async () => {
      expect(await run('wr', 'create', ...order, ...sandboxProfile)).toMatchObject({ code: 0 });
      expect(await followed()).toHaveLength(asked.length + 1);
    };
    await create();
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect(await followed()).toEqual(asked);
    await create();
    await first.stop();
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    const second = await logIn(env);
    expect(await followed()).toEqual(asked);
    await second.stop();
  });

  it('after a restart, has its port and the work requests of each batch', async () => {
    const { env, run } = await home();
    const first = await start(env, '--login');
    const row = { asset: { _id: 'a-1001' }, language: 'fin', uses: { items: ['online'] } };
    const file = temporaryFile(`${JSON.stringify(row)}\n`, 'nordic.jsonl');
    await run('wr', 'create', '--batch', file, '--yes');
    await first.stop();
    const second = await logIn(env);
    const { stdout } = await run('today', '--batch', file, '--jq', '.language');
    expect(stdout).toBe('fin\n');
    await second.stop();
  });
});

describe('mar sandbox status, stop and reset', () => {
  it('show and end a running sandbox', async () => {
    const { env, dataDir, sandbox } = await home();
    const { baseUrl, run, examples } = await start(env);
    expect(examples).toMatchObject({
      WorkRequest: expect.arrayContaining(['wr-2001', 'wr-2012']),
      Asset: expect.arrayContaining(['a-1001', 'a-1003']),
      Notification: expect.arrayContaining(['n-3001', 'n-3003']),
    });
    const status = async () => JSON.parse((await sandbox('status', '--json')).stdout);
    const running = { running: true, baseUrl, pid: process.pid, dataDir, examples };
    const records = expect.objectContaining({ Asset: 12, Download: 300, WorkRequest: 16 });
    expect(await status()).toMatchObject({ ...running, email: 'ines@northlight.example', records });
    const shown = await mar(['sandbox', 'status'], { env: { ...env, NO_COLOR: '1' }, columns: 80 });
    expect(shown.stdout).toContain(baseUrl);
    expect(shown.stdout).toContain('wr-2001, wr-2002, wr-2003');
    expect(shown.stdout).toContain('  mar sandbox --background --login\n');
    const elsewhere = { ...env, MAR_STATE_DIR: temporaryFolder() };
    const other = await mar(['sandbox', 'status', '--data', dataDir], { env: elsewhere });
    expect(other.stdout).toContain(`  mar sandbox --background --login --data ${dataDir}\n`);
    const stop = await sandbox('stop');
    expect(stop).toMatchObject({ code: 0, stdout: `${sandboxWords.stopped(baseUrl)}\n` });
    expect((await run.ended).code).toBe(0);
    expect(await status()).toEqual({ running: false, dataDir });
    expect(existsSync(path.join(dataDir, 'running.json'))).toBe(false);
    expect(await sandbox('stop')).toMatchObject(notRunning(dataDir));
  });

  it('neither ask nor end anything named by the file of a sandbox that was killed', async () => {
    const { dataDir, sandbox } = await home();
    const state = { baseUrl: 'http://127.0.0.1:1/api', pid: process.pid, secret: 'x' };
    writeFileSync(path.join(dataDir, 'running.json'), JSON.stringify(state));
    expect(await sandbox('stop')).toMatchObject(notRunning(dataDir));
  });

  it('leave a sandbox alone whose secret they do not know', async () => {
    const { env, dataDir, sandbox } = await home();
    await start(env);
    const file = path.join(dataDir, 'running.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...state, secret: 'wrong' }));
    expect(await sandbox('stop')).toMatchObject(notRunning(dataDir));
    expect(await failure(2, sandbox('--port', '0'))).toContain(dataDir);
  });

  it('delete no records without --yes', async () => {
    const { dataDir, sandbox } = await home();
    const stderr = await failure(2, sandbox('reset'));
    expect(stderr).toMatch(new RegExp(`deletes .* ${dataDir}\n.*--yes`));
    const size = () => statSync(path.join(dataDir, 'sandbox.db')).size;
    expect(size()).toBeGreaterThan(100_000);
    expect(await sandbox('reset', '--yes')).toMatchObject({ code: 0 });
    expect(size()).toBeLessThan(5000);
  });

  it('report an address at which something else responds', async () => {
    const { baseUrl } = await recordingServer('<html>');
    const { run, dataDir } = await startWith({ baseUrl, secret: 'x' });
    const stderr = await failure(1, run('status'));
    expect(stderr).toMatch(new RegExp(`${baseUrl} .*${dataDir}`));
  });

  it('create no folder, and say that there is nothing', async () => {
    const env = { MAR_STATE_DIR: path.join(temporaryFolder(), 'state') };
    const status = JSON.parse((await mar(['sandbox', 'status', '--json'], { env })).stdout);
    expect(status).toMatchObject({ running: false });
    expect((await mar(['sandbox', 'export'], { env })).code).toBe(2);
    expect(existsSync(env.MAR_STATE_DIR)).toBe(false);
  });
});

it('mar sandbox --background ends what it started on Ctrl-C, even if that is too busy to notice', async () => {
  const { env } = await home();
  const file = path.join(temporaryFolder(), 'pid');
  const lines = [
    "process.on('SIGTERM', () => {});",
    `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`,
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);',
  ];
  const NODE_OPTIONS = `--require ${temporaryFile(lines.join('\n'), 'busy.cjs')}`;
  const run = startMar(['sandbox', '--background'], { env: { ...env, NODE_OPTIONS } });
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+$/);
  run.signal('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false);
});

it('the links of a record lead to the sandbox, so that mar api follows them', async () => {
  const { env, run } = await home();
  await start(env, '--login');
  const read = async (filter: string, ...words: string[]) =>
    (await run(...words, '--jq', filter, ...sandboxProfile)).stdout.trim();
  for (const [link, id, ...words] of [
    ['self', 'wr-2001', 'wr', 'get', 'wr-2001'],
    ['asset', 'a-1001', 'wr', 'get', 'wr-2001'],
    ['self', 'n-3001', 'notification', 'show', 'n-3001'],
  ] as const) {
    expect(await read('._id', 'api', await read(`."$links".${link}`, ...words))).toBe(id);
  }
});

it('a command with subcommands is not confused by values of its own flags', async () => {
  const parsed = await parse(['sandbox', '--data', 'stop', '--port', '4747']);
  const options = { data: 'stop' };
  expect(parsed).toMatchObject({ kind: 'run', path: 'sandbox', input: { options } });
  expect(await parse(['sandbox', 'stop', '--data', 'x'])).toMatchObject({ path: 'sandbox stop' });
  expect((await mar(['sandbox', 'statsu'])).stderr).toContain(' mar sandbox status?');
  const { stdout } = await mar(['sandbox', '--help']);
  expect(stdout).toMatch(/^Usage: mar sandbox \[command\] \[flags\]$/m);
  expect(stdout).toMatch(/^ +stop +\S/m);
  expect(stdout).toContain('--login');
});
