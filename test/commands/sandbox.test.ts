import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, configFile } from '../../src/config/config.ts';
import { parse } from '../../src/program.ts';
import { isRunning } from '../harness/isRunning.ts';
import { mar, marOk, startMar, temporaryFolder } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { removeTemplate } from '../sandbox/harness.ts';
import { sandboxHome, startSandbox as start } from './sandboxHome.ts';

afterAll(removeTemplate);

async function home() {
  const { env, dataDir } = await sandboxHome();
  const readConfig = (): Config => configFile(env.MAR_CONFIG_DIR).read();
  const writeConfig = (content: Config) => {
    mkdirSync(env.MAR_CONFIG_DIR, { recursive: true });
    writeFileSync(path.join(env.MAR_CONFIG_DIR, 'config.json'), JSON.stringify(content));
  };
  return { env, dataDir, readConfig, writeConfig };
}

/** A running sandbox, about which `running.json` has this content. */
async function startWith(content: string | object) {
  const { env, dataDir } = await home();
  await start(env);
  const file = path.join(dataDir, 'running.json');
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(file, text);
  return { dataDir, file, run: (verb: string) => mar(['sandbox', verb], { env }) };
}

const sandboxProfile = ['--profile', 'sandbox'];

type Env = Awaited<ReturnType<typeof home>>['env'];

async function logInByHand(env: Env) {
  const sandbox = await start(env);
  const { baseUrl, email, password } = sandbox;
  const account = ['--base-url', baseUrl, '--email', email, '--password-stdin'];
  const argv = ['login', '--profile', 'sandbox', '--insecure-storage', ...account];
  await marOk(argv, { env, stdin: password });
  return sandbox;
}

describe('mar sandbox --login', () => {
  it('logs the profile sandbox in, with the token in its own folder', async () => {
    const { env, dataDir, readConfig } = await home();
    const { baseUrl, profile } = await start(env, '--login');
    expect(profile).toBe('sandbox');
    const tokenFile = path.join(dataDir, 'token');
    expect(readConfig().profiles).toEqual({
      sandbox: { baseUrl, email: 'ines@northlight.example', tokenFile },
    });
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(existsSync(path.join(env.MAR_CONFIG_DIR, 'tokens.json'))).toBe(false);
    const read = await mar(['wr', 'get', 'wr-2001', '--jq', '._id', ...sandboxProfile], { env });
    expect(read).toMatchObject({ code: 0, stdout: 'wr-2001\n' });
  });

  it('works again after a restart on another port, also without --login, and after a reset', async () => {
    const { env, readConfig } = await home();
    const first = await start(env, '--login');
    await first.stop();
    const second = await start(env);
    expect(second.baseUrl).not.toBe(first.baseUrl);
    expect(readConfig().profiles?.sandbox?.baseUrl).toBe(second.baseUrl);
    const check = () => mar(['whoami', '--check', ...sandboxProfile], { env });
    expect(await check()).toMatchObject({ code: 0 });
    const reset = () => mar(['sandbox', 'reset', '--yes'], { env });
    expect(await reset()).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0 });
    await second.stop();
    expect(await reset()).toMatchObject({ code: 0 });
    await start(env);
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('gets a new token if the one in the folder was revoked', async () => {
    const { env } = await home();
    const first = await start(env, '--login');
    expect((await mar(['api', 'DELETE', '/session', ...sandboxProfile], { env })).code).toBe(0);
    const refused = await mar(['whoami', '--check', ...sandboxProfile], { env });
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain('run: mar sandbox --login');
    await first.stop();
    await start(env, '--login');
    expect(await mar(['whoami', '--check', ...sandboxProfile], { env })).toMatchObject({ code: 0 });
  });

  it.each([
    ['a tunnel on this machine', 'http://127.0.0.1:8080/api', 'work', ['--profile', 'work']],
    ['another machine', 'https://media.example/api', 'sandbox', []],
  ])('does not replace a profile for %s, and starts nothing', async (_, baseUrl, name, flags) => {
    const { env, dataDir, writeConfig, readConfig } = await home();
    const profile = { baseUrl, email: 'me@studio.example', store: 'file' as const };
    writeConfig({ profiles: { [name]: profile } });
    const run = await mar(['sandbox', '--login', ...flags], { env });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`profile "${name}" is me@studio.example at ${baseUrl}`);
    expect(run.stderr).toContain(`mar profile rename ${name} NAME`);
    expect(readConfig()).toEqual({ profiles: { [name]: profile } });
    expect(existsSync(path.join(dataDir, 'token'))).toBe(false);
    expect((await start(env, '--login', '--profile', 'demo')).profile).toBe('demo');
    expect(readConfig().profiles?.[name]).toEqual(profile);
  });

  it('replaces a login to an earlier sandbox', async () => {
    const { env, writeConfig, readConfig } = await home();
    const earlier = { baseUrl: 'http://127.0.0.1:1/api', email: 'ines@northlight.example' };
    writeConfig({ profiles: { sandbox: { ...earlier, store: 'file' } } });
    const { baseUrl } = await start(env, '--login');
    expect(Object.keys(readConfig().profiles ?? {})).toEqual(['sandbox']);
    expect(readConfig().profiles?.sandbox).toMatchObject({ baseUrl, email: earlier.email });
  });

  it.each<[string, (env: Env, folder: string) => ReturnType<typeof start>, string[]]>([
    ['with --login', (env) => start(env, '--login'), ['--data', 'FOLDER']],
    ['in another folder', (env, folder) => start(env, '--login', '--data', folder), []],
    ['by hand', logInByHand, ['--ephemeral']],
  ])('does not replace a login to a running sandbox, made %s', async (_, logIn, flags) => {
    const { env, readConfig } = await home();
    const { baseUrl, dataDir, stop } = await logIn(env, temporaryFolder());
    const before = readConfig();
    const other = temporaryFolder();
    const second = ['--login', ...flags.map((flag) => flag.replace('FOLDER', other))];
    const { code, stderr } = await mar(['sandbox', ...second], { env });
    expect(code, stderr).toBe(2);
    for (const fact of ['"sandbox"', baseUrl, '--profile NAME', `sandbox stop --data ${dataDir}`]) {
      expect(stderr).toContain(fact);
    }
    expect(readConfig()).toEqual(before);
    expect(readdirSync(other)).toEqual([]);
    await stop();
    const next = await start(env, ...second);
    expect(readConfig().profiles?.sandbox?.baseUrl).toBe(next.baseUrl);
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
    expect(stdout).toMatch(/^The sandbox is running\.\n[\s\S]* mar today --profile sandbox\n$/);
    expect(stdout).toContain('\n  Work requests: wr-2001, wr-2002, wr-2003\n  Assets: a-1001, ');
    expect(stdout).not.toMatch(/open-sesame|password|mar login/i);
  });

  it('puts the demo work requests on the list of mar today', async () => {
    const { env } = await home();
    await start(env, '--login');
    const { stdout } = await mar(['today', '--no-color'], { env, columns: 80 });
    expect(stdout).toMatch(/^ {2}ID .*\nLate \(2\)\n {2}wr-2011 .*\n {4}awaiting-approval for /);
    expect(stdout).toContain('waits for ');
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(24);
  });
});

describe('mar sandbox status, stop and reset', () => {
  it('show and end a running sandbox', async () => {
    const { env, dataDir } = await home();
    const { baseUrl, run, examples } = await start(env);
    expect(examples).toMatchObject({
      WorkRequest: expect.arrayContaining(['wr-2001', 'wr-2012']),
      Asset: expect.arrayContaining(['a-1001', 'a-1003']),
      Notification: expect.arrayContaining(['n-3001', 'n-3003']),
    });
    const status = await mar(['sandbox', 'status', '--json'], { env });
    expect(JSON.parse(status.stdout)).toEqual({
      running: true,
      baseUrl,
      pid: process.pid,
      dataDir,
      email: 'ines@northlight.example',
      records: expect.objectContaining({ Asset: 12, Download: 300, WorkRequest: 16 }),
      examples,
    });
    const card = await mar(['sandbox', 'status'], { env: { ...env, NO_COLOR: '1' }, columns: 200 });
    expect(card.stdout).toMatch(
      /^The sandbox is running\n\n.*Records +12 assets, .* work requests\n\nIds to try\n/s,
    );
    expect(card.stdout).toMatch(/ Work requests +wr-2001, wr-2002, wr-2003,/);
    const stop = await mar(['sandbox', 'stop'], { env });
    expect(stop).toMatchObject({ code: 0, stdout: `Stopped the sandbox at ${baseUrl}\n` });
    expect((await run.ended).code).toBe(0);
    const after = JSON.parse((await mar(['sandbox', 'status', '--json'], { env })).stdout);
    expect(after).toMatchObject({ running: false, dataDir, records: { Asset: 12 }, examples });
    expect(existsSync(path.join(dataDir, 'running.json'))).toBe(false);
    const again = await mar(['sandbox', 'stop'], { env });
    expect(again).toMatchObject({ code: 0, stdout: 'The sandbox is not running\n' });
  });

  it('neither ask nor end anything named by the file of a sandbox that was killed', async () => {
    const { env, dataDir } = await home();
    const state = { baseUrl: 'http://127.0.0.1:1/api', pid: process.pid, secret: 'x' };
    writeFileSync(path.join(dataDir, 'running.json'), JSON.stringify(state));
    expect(await mar(['sandbox', 'stop'], { env })).toMatchObject({
      code: 0,
      stdout: 'The sandbox is not running\n',
    });
  });

  it('report a sandbox that does not respond, and leave its process alone', async () => {
    const { env, dataDir } = await home();
    await start(env);
    const file = path.join(dataDir, 'running.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...state, secret: 'wrong' }));
    const run = await mar(['sandbox', 'stop'], { env });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`process ${process.pid}`);
  });

  it('delete no records without --yes', async () => {
    const { env, dataDir } = await home();
    expect(await mar(['sandbox', 'reset'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: this deletes all records in ${dataDir}\n  Use --yes to delete them.\n`,
    });
    expect(await mar(['sandbox', 'export'], { env })).toMatchObject({ code: 0 });
    expect(await mar(['sandbox', 'reset', '--yes'], { env })).toMatchObject({ code: 0 });
    expect(await mar(['sandbox', 'export'], { env })).toMatchObject({ code: 2 });
  });

  const address = 'http://127.0.0.1:1/api';
  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    {},
    { baseUrl: address },
    { baseUrl: address, secret: 7 },
    { baseUrl: address, secret: 'a\nb' },
    { baseUrl: address, secret: '' },
    { baseUrl: 7, secret: 'x' },
    { baseUrl: 'nonsense', secret: 'x' },
    { baseUrl: 'ftp://127.0.0.1:1/api', secret: 'x' },
    { baseUrl: address, secret: 'x', pid: ['\u001b[2J'] },
  ])('name a file running.json that is damaged: %j', async (content) => {
    const { file, run } = await startWith(content);
    for (const verb of ['status', 'stop', 'export']) {
      const { code, stdout, stderr } = await run(verb);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`error: ${file} does not say how to reach the sandbox`);
    }
  });

  it('send the secret to nothing but loopback', async () => {
    const { port, requests } = await recordingServer('{}');
    // The name may lead elsewhere. The sandbox itself writes an address.
    const baseUrl = `http://localhost:${port}/api`;
    const { run } = await startWith({ baseUrl, secret: 's3cret' });
    expect((await run('status')).code).toBe(2);
    expect(requests).toEqual([]);
  });

  it('report an address at which something else responds', async () => {
    const { baseUrl } = await recordingServer('<html>');
    const { run, dataDir } = await startWith({ baseUrl, secret: 'x' });
    const { code, stderr } = await run('status');
    expect(code).toBe(1);
    expect(stderr).toContain(`the sandbox at ${baseUrl} uses the folder ${dataDir}, but`);
  });

  it('create no folder, and say that there is nothing', async () => {
    const folder = temporaryFolder();
    const env = { MAR_STATE_DIR: path.join(folder, 'state') };
    const status = JSON.parse((await mar(['sandbox', 'status', '--json'], { env })).stdout);
    expect(status).toMatchObject({ running: false, records: {} });
    expect((await mar(['sandbox', 'export'], { env })).code).toBe(2);
    expect(existsSync(env.MAR_STATE_DIR)).toBe(false);
  });
});

describe('mar sandbox --background', () => {
  it('ends what it started on Ctrl-C, even if that is too busy to notice', async () => {
    const { env } = await home();
    const folder = temporaryFolder();
    const busy = path.join(folder, 'busy.cjs');
    const file = path.join(folder, 'pid');
    const lines = [
      "process.on('SIGTERM', () => {});",
      `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`,
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);',
    ];
    writeFileSync(busy, lines.join('\n'));
    const run = startMar(['sandbox', '--background'], {
      env: { ...env, NODE_OPTIONS: `--require ${busy}` },
    });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+$/);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false);
  });
});

describe('the links of a record', () => {
  it('lead to the sandbox, so that mar api follows them', async () => {
    const { env } = await home();
    await start(env, '--login');
    const linksOf = async (...words: string[]): Promise<Record<string, string>> => {
      const run = await mar([...words, '--json', ...sandboxProfile], { env });
      return JSON.parse(run.stdout).$links;
    };
    const { self, asset } = await linksOf('wr', 'get', 'wr-2001');
    const { self: own } = await linksOf('notification', 'show', 'n-3001');
    for (const [link = '', id] of [
      [self, 'wr-2001'],
      [asset, 'a-1001'],
      [own, 'n-3001'],
    ]) {
      const run = await mar(['api', link, '--jq', '._id', ...sandboxProfile], { env });
      expect(run).toMatchObject({ code: 0, stdout: `${id}\n` });
    }
  });
});

describe('a command with subcommands', () => {
  it('is not confused by values of its own flags', async () => {
    const parsed = await parse(['sandbox', '--data', 'stop', '--port', '4747']);
    expect(parsed).toMatchObject({
      kind: 'run',
      path: 'sandbox',
      input: { options: { data: 'stop' } },
    });
    expect(await parse(['sandbox', 'stop', '--data', 'x'])).toMatchObject({ path: 'sandbox stop' });
    expect((await mar(['sandbox', 'statsu'])).stderr).toContain('Did you mean mar sandbox status?');
  });

  it('shows its subcommands and its flags in its help', async () => {
    const { stdout } = await mar(['sandbox', '--help']);
    expect(stdout).toMatch(/^Usage: mar sandbox \[command\] \[flags\]$/m);
    expect(stdout).toMatch(/^ +stop +Stop the sandbox$/m);
    expect(stdout).toContain('--login');
  });
});
