import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMar, temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, logInTo, runProgram, startSandboxProgram } from '../harness/program.ts';
import { loggedInSandbox } from '../harness/service.ts';

describe('mar sandbox', () => {
  it('shows on one line of JSON what it takes to use it, and is gone without a trace', async () => {
    const { folder, sandbox } = await loggedInSandbox();
    const { child, ...printed } = sandbox;
    expect(Object.keys(printed).join()).toBe('baseUrl,email,password,dataDir,examples');
    expect(existsSync(sandbox.dataDir)).toBe(true);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(143);
    expect(readdirSync(folder).filter((name) => name.startsWith('mar-sandbox'))).toEqual([]);
  });

  it('serves its page from the program itself, with every file that the page names', async () => {
    const { sandbox } = await loggedInSandbox();
    const { origin } = new URL(sandbox.baseUrl);
    const html = await (await fetch(`${origin}/`)).text();
    const names = [...html.matchAll(/(?:src|href)="(\/_sandbox\/[^"]+)"/g)].map(([, name]) => name);
    expect(names).toContain('/_sandbox/page.js');
    for (const name of names) {
      const response = await fetch(origin + name);
      const text = await response.text();
      expect([name, response.status]).toEqual([name, 200]);
      for (const [, imported] of text.matchAll(/from '\.\/([^']+)'/g))
        names.push(`/_sandbox/${imported}`);
    }
  });

  it.each([40, 60, 200])('prints a login line to paste, at %i columns', async (columns) => {
    const env = { MAR_STATE_DIR: temporaryFolder(), NO_COLOR: '1' };
    const run = startMar(['sandbox', '--ephemeral'], { env, columns });
    await run.stdout.until('--insecure-storage\n');
    run.signal('SIGINT');
    const { stdout } = await run.ended;
    // A path cannot be wrapped.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  Data '));
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const [, command] = /^ {2}(echo [\s\S]*)\n$/m.exec(stdout) ?? [];
    expect(command?.replaceAll(/ \\\n +/g, ' ')).toMatch(
      /^echo \S+ \| mar login --profile sandbox --base-url http:\S+\/api --email \S+ --password-stdin --insecure-storage$/,
    );
  });

  it('keeps every record it confirmed through kill -9, and its tokens', async () => {
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder);
    const data = path.join(folder, 'data');
    const first = await startSandboxProgram(['--data', data], env);
    const port = new URL(first.baseUrl).port;
    await logInTo(first, env);
    const created = await runProgram(
      ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'],
      env,
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    await startSandboxProgram(['--data', data, '--port', port], env);

    const record = JSON.parse(created.stdout);
    const read = await runProgram(['wr', 'get', record._id, '--json'], env);
    expect(read.code, read.stderr).toBe(0);
    expect(JSON.parse(read.stdout)).toEqual(record);
  });

  it('runs in the background until it is stopped, and starts again with the same data', async () => {
    const folder = temporaryFolder();
    const env = cleanEnvironment(folder);
    const stop = () => runProgram(['sandbox', 'stop'], env);
    onTestFinished(async () => void (await stop()));
    const start = ['sandbox', '--background', '--login', '--port', '0'];
    const first = await runProgram(start, env);
    const stderr = 'The default profile is now "sandbox"\n';
    expect(first).toMatchObject({ code: 0, stderr });
    expect(first.stdout).toMatch(
      /^The sandbox is running in the background\.\nTo stop it, run: mar sandbox stop\n\n {2}Page +http:\S+\/\n {2}Base URL +http:\S+\/api\n {2}Profile +sandbox \(.*\)\n {2}Data +.*\n\n {2}Work requests: wr-2001, .*\n {2}Assets: a-1001, .*\n {2}Notifications: n-3001, .*\n\nTry it:\n\n {2}mar today --profile sandbox\n$/,
    );
    const created = await runProgram(
      ['wr', 'create', '--skip-checks', '--set', 'language=fra', '--json'],
      env,
    );
    expect(created.code, created.stderr).toBe(0);
    const again = await runProgram([...start, '--json'], env);
    const { baseUrl, examples } = JSON.parse(again.stdout);
    expect(examples.Asset.slice(0, 2)).toEqual(['a-1001', 'a-1002']);
    expect(first.stdout).toContain(baseUrl);
    expect((await stop()).stdout).toBe(`Stopped the sandbox at ${baseUrl}\n`);
    const stopped = await runProgram(['sandbox', 'status', '--jq', '.running'], env);
    expect(stopped.stdout).toBe('false\n');
    await expect(fetch(baseUrl)).rejects.toThrow();

    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const failed = await runProgram(['sandbox', '--background', '--port', `${port}`], env);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(`error: port ${port} is in use\n`);

    expect((await runProgram(start, env)).code).toBe(0);
    const { _id } = JSON.parse(created.stdout);
    const read = await runProgram(['wr', 'get', _id, '--json'], env);
    expect(JSON.parse(read.stdout).created).toBe(JSON.parse(created.stdout).created);
  });

  it('keeps the token in a file that only its owner can read', async () => {
    const { env } = await loggedInSandbox();
    const file = path.join(env.MAR_CONFIG_DIR, 'tokens.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(env.MAR_CONFIG_DIR).mode & 0o777).toBe(0o700);
    const [token] = Object.values(JSON.parse(readFileSync(file, 'utf8'))) as [string];
    const config = readFileSync(path.join(env.MAR_CONFIG_DIR, 'config.json'), 'utf8');
    expect(config).not.toContain(token);
  });

  it('lets unknown fields travel from get --json to put -f and back', async () => {
    const { env } = await loggedInSandbox();
    const { stdout } = await runProgram(['asset', 'get', 'a-1001', '--json'], env);
    const changed = stdout.replace(
      /}\s*$/,
      ',"2":9007199254740993,"1":1.0,"odd":{"__proto__":null,"x":[]}}',
    );
    const put = await runProgram(['asset', 'put', '-f', '-', '--json'], env, changed);
    expect(put.code, put.stderr).toBe(0);
    const read = await runProgram(['asset', 'get', 'a-1001', '--json'], env);
    expect(read.stdout).toBe(`${changed}\n`);
  });

  it('forgets the token on logout, and the service does too', async () => {
    const { env, sandbox } = await loggedInSandbox();
    const [token] = Object.values(
      JSON.parse(readFileSync(path.join(env.MAR_CONFIG_DIR, 'tokens.json'), 'utf8')),
    ) as [string];
    expect((await runProgram(['logout'], env)).code).toBe(0);
    expect((await runProgram(['whoami'], env)).code).toBe(4);
    const variables = { MAR_TOKEN: token, MAR_EMAIL: sandbox.email, MAR_BASE_URL: sandbox.baseUrl };
    expect((await runProgram(['whoami', '--check'], { ...env, ...variables })).code).toBe(4);
  });
});
