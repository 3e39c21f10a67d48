import { execSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { email, home } from '../../harness/home.ts';
import { isRunning } from '../../harness/isRunning.ts';
import { mar, marOk, startMar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import {
  type CannedResponse,
  credentialsOf,
  recordingServer,
} from '../../harness/recordingServer.ts';
import { accountWords } from '../../words/account.ts';

/** A profile whose token comes from a script. */
async function withCommand(script: string, ...responses: CannedResponse[]) {
  const server = await recordingServer(...(responses.length ? responses : ['{"_id":"a-1"}']));
  const own = home();
  const program = path.join(own.folder, 'vault program');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const tokenCommand = `'${program}' read "op://Work/media token" $HOME;ls`;
  const profile = { baseUrl: server.baseUrl, email, tokenCommand };
  own.writeConfig({ defaultProfile: 'ci', profiles: { ci: profile } });
  // The scripts need a PATH.
  const env = { ...own.env, PATH: process.env.PATH ?? '' };
  const run = (argv: string[], more = {}) => mar(argv, { env: { ...env, ...more } });
  return { ...own, run, env, server, program, profile };
}

const get = ['asset', 'get', 'a-1'];
const file = (folder: string, name: string) => readFileSync(path.join(folder, name), 'utf8');

describe('token-command', () => {
  it('gets its words without a shell, and its trimmed output is the token', async () => {
    const { run, server, folder } = await withCommand(
      'cd "$MAR_CONFIG_DIR"; printf "%s\\n" "$@" > words; echo x >> runs; echo "  s3cret-token "; echo',
    );
    const outcome = await run(['asset', 'get', 'a-1', 'a-1', '--columns', '_id']);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(file(folder, 'words')).toBe('read\nop://Work/media token\n$HOME;ls\n');
    expect(file(folder, 'runs')).toBe('x\n');
    expect(credentialsOf(server.requests[0])).toBe(`${email}:token-s3cret-token`);
  });

  it.each<[string, (config: string) => void, string]>([
    ['its group can change', (config) => chmodSync(config, 0o660), 'chmod go-w'],
    ['everybody can change', (config) => chmodSync(config, 0o646), 'chmod go-w'],
    ['belongs to another user', (config) => chownSync(config, 4711, 4711), 'sudo chown'],
  ])('is not run if config.json %s', async (_, expose, repair) => {
    const { run, folder } = await withCommand('echo x >> "$MAR_CONFIG_DIR/runs"; echo s3cret');
    const config = path.join(folder, 'config.json');
    expose(config);
    const others = ['doctor', 'config set output json', 'profile use default'];
    for (const argv of [get, ...others.map((line) => line.split(' '))]) {
      const { code, stdout, stderr } = await run(argv);
      expect(code, stderr).toBe(2);
      for (const fact of [config, `run: ${repair}`]) expect(stdout + stderr).toContain(fact);
    }
    expect(existsSync(path.join(folder, 'runs'))).toBe(false);
    const [, command = ''] = /run: (.*)/.exec((await run(get)).stderr) ?? [];
    execSync(command.replace('sudo ', ''));
    expect((await run(get)).code).toBe(0);
  });

  it('is run from a config.json that others can only read', async () => {
    const { run, folder } = await withCommand('echo s3cret');
    chmodSync(path.join(folder, 'config.json'), 0o644);
    expect((await run(get)).code).toBe(0);
  });

  it('does not get the tokens of mar', async () => {
    const { run, folder } = await withCommand('env > "$MAR_CONFIG_DIR/variables"; echo s3cret');
    expect((await run(['whoami'], { MAR_TOKEN_FILE: '/nonexistent' })).code).toBe(2);
    const other = { MAR_TOKEN_OTHER: 'hidden', KEPT: 'yes' };
    expect((await run(get, other)).code).toBe(0);
    expect(file(folder, 'variables')).not.toContain('hidden');
    expect(file(folder, 'variables')).toContain('KEPT=yes');
  });

  it.each([
    ['fails', 'echo s3cret-output; echo s3cret-error >&2; exit 3', 'failed with exit code 3'],
    ['is killed', 'echo s3cret; kill -9 $$', 'was stopped by the signal SIGKILL'],
    ['prints nothing', 'true', accountWords.noToken],
    ['prints two lines', 'echo s3cret; echo s3cret', accountWords.severalTokens],
    ['prints the prefix', 'echo token-s3cret', accountWords.tokenWithPrefix],
    ['prints bytes that are no text', "printf 's3cret\\351'", 'is not valid UTF-8'],
    ['prints endlessly', 'yes s3cret', 'printed too much for a token'],
  ])('that %s is exit 10, sends nothing, and shows none of its output', async (...row) => {
    const [, script, message] = row;
    const { run, server } = await withCommand(script);
    const stderr = await failure(10, run(get, { MAR_DEBUG: 'http' }));
    expect(stderr).toContain(message);
    expect(stderr).toContain('vault program');
    expect(stderr).not.toMatch(/s3cret|op:\/\//);
    expect(server.requests).toEqual([]);
  });

  it('that does not exist is exit 10', async () => {
    const { run } = await withCommand('true');
    await run(['config', 'set', 'token-command', '/nonexistent/op read x']);
    expect(await failure(10, run(get))).toContain('(/nonexistent/op) ');
  });

  it('is stopped after three seconds', async () => {
    const { run, folder } = await withCommand('echo $$ > "$MAR_CONFIG_DIR/pid"; exec sleep 60');
    expect(await failure(10, run(get))).toContain(' 3 s');
    await expect.poll(() => isRunning(Number(file(folder, 'pid')))).toBe(false);
  });

  it('is stopped by Ctrl-C', async () => {
    const { env, folder } = await withCommand(
      'echo $$ > "$MAR_CONFIG_DIR/part"; mv "$MAR_CONFIG_DIR/part" "$MAR_CONFIG_DIR/pid"; exec sleep 60',
    );
    const run = startMar(get, { env });
    await expect.poll(() => existsSync(path.join(folder, 'pid'))).toBe(true);
    run.signal('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    await expect.poll(() => isRunning(Number(file(folder, 'pid')))).toBe(false);
  });

  it('has its token hidden in traces and errors', async () => {
    const refusal = { status: 422, body: '{"message":"bad s3cret-token"}' };
    const { run } = await withCommand('echo s3cret-token', refusal);
    const stderr = await failure(3, run(get, { MAR_DEBUG: 'http' }));
    expect(stderr).toContain('bad [redacted]');
    expect(stderr).not.toContain('s3cret-token');
  });

  it('comes after MAR_TOKEN and before the stored token', async () => {
    const { run, server, writeConfig, profile } = await withCommand('echo from-command');
    writeConfig({ profiles: { default: { ...profile, store: 'file' } } });
    expect((await run(get)).code).toBe(0);
    expect((await run(get, { MAR_TOKEN: 'from-variable' })).code).toBe(0);
    expect(server.requests.map(credentialsOf)).toEqual([
      `${email}:token-from-command`,
      `${email}:token-from-variable`,
    ]);
  });
});

describe('a profile with a token-command', () => {
  it('is shown by whoami, doctor and profile list, without its arguments', async () => {
    const { run, program } = await withCommand('echo s3cret', '[]');
    const from = `token-command (${program})`;
    const whoami = await run(['whoami', '--json']);
    expect(JSON.parse(whoami.stdout).token).toBe(from);
    const doctor = await run(['doctor']);
    expect(doctor.stdout).toContain(`✓ Token     from ${from}\n`);
    expect(doctor.code).toBe(0);
    const list = await run(['profile', 'list']);
    expect(list.stdout).toContain(from);
    expect(whoami.stdout + doctor.stdout + list.stdout).not.toMatch(/op:|s3cret/);
  });

  it('that fails is a failed check of doctor', async () => {
    const { run } = await withCommand('exit 1');
    const { code, stdout } = await run(['doctor']);
    expect(code).toBe(10);
    expect(stdout).toContain('✗ Token     the token-command (');
  });

  it('is not run by whoami, by logout, which is refused, nor for another service', async () => {
    const { run, folder, server } = await withCommand('touch "$MAR_CONFIG_DIR/ran"; echo s3cret');
    expect((await run(['whoami'])).code).toBe(0);
    expect(await failure(2, run(['logout']))).toMatch(/token-command .*\n.*"ci"/);
    const other = await recordingServer('{}');
    const elsewhere = await failure(4, run([...get, '--base-url', other.baseUrl]));
    expect(elsewhere).toContain(` ${new URL(server.baseUrl).origin},`);
    expect(other.requests).toEqual([]);
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  });

  it('whose token is refused shows where to renew it', async () => {
    const { run } = await withCommand('echo s3cret', { status: 401, body: '{}' });
    expect(await failure(4, run(get))).toContain(accountWords.renewTokenCommand);
  });

  it('is made by login, which tries the token and stores none', async () => {
    const { program, env, config, run } = await withCommand('echo s3cret');
    const server = await recordingServer('[]');
    const argv = ['login', '--profile', 'new', '--base-url', server.baseUrl, '--email', email];
    const tokenCommand = `'${program}' x`;
    await marOk([...argv, '--token-command', tokenCommand], { env });
    expect(config().profiles.new).toEqual({ baseUrl: server.baseUrl, email, tokenCommand });
    expect((await run(['profile', 'remove', 'new'])).code).toBe(0);
    expect(server.requests).toHaveLength(1);
    const both = await failure(2, mar([...argv, '--token-command', 'x', '--token-stdin'], { env }));
    expect(both).toMatch(/--token-stdin .*--token-command/);
  });

  it('is changed and removed with config', async () => {
    const { run, config } = await withCommand('echo s3cret');
    const set = ['config', 'set', 'token-command'];
    expect((await run([...set, 'pass show media'])).code).toBe(0);
    expect(config().profiles.ci.tokenCommand).toBe('pass show media');
    for (const bad of ['', ' ', "op 'read", 'op "read', 'a\nb']) {
      const stderr = await failure(2, run([...set, bad]));
      expect(stderr, bad).toMatch(/^error: token-command: /);
    }
    expect((await run(['config', 'get', 'token-command'])).stdout).toBe('pass show media\n');
    await run(['config', 'unset', 'token-command']);
    expect(config().profiles.ci).not.toHaveProperty('tokenCommand');
    expect((await run(['whoami'])).code).toBe(4);
  });
});
