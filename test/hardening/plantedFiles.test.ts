import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { account, recordingServer } from '../harness/recordingServer.ts';
import { storedAccount, writeProfiles } from '../harness/storedAccount.ts';
import { runWithinLimit } from '../harness/timeLimit.ts';

/** Things that somebody else may put in place of one of our files. */
const obstacles: [string, (file: string) => void][] = [
  ['a FIFO', (file) => execFileSync('mkfifo', [file])],
  ['a folder', (file) => mkdirSync(file)],
  ['a link to nowhere', (file) => symlinkSync('/dev/null/file', file)],
  ['a link to itself', (file) => symlinkSync(path.basename(file), file)],
];

async function setUp() {
  const folder = temporaryFolder();
  const config = path.join(folder, 'config');
  const victim = path.join(folder, 'victim');
  writeFileSync(victim, 'precious');
  const server = await recordingServer('{"_id":"a-1"}');
  const stored = storedAccount(folder, server.baseUrl);
  const env: NodeJS.ProcessEnv = cleanEnvironment(folder, stored);
  const { host } = new URL(server.baseUrl);
  const name = encodeURIComponent(`${host}/api ${account.MAR_EMAIL}`);
  const memory = path.join(stored.MAR_STATE_DIR ?? '', 'memory', `${name}.jsonl`);
  mkdirSync(path.dirname(memory), { recursive: true });
  const run = (...argv: string[]) => runWithinLimit(argv, env);
  return { memory, config, victim, env, run };
}

const shown = { code: 0, stdout: '{"_id":"a-1"}\n', stderr: '' };
const get = ['asset', 'get', 'a-1', '--json'];

describe('a link in place of a file that is written', () => {
  it('does not lead what is remembered into another file', async () => {
    const { memory, victim, run } = await setUp();
    symlinkSync(victim, memory);
    expect(await run(...get)).toEqual(shown);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it('does not lead it there when old lines are removed', async () => {
    const { memory, victim, run } = await setUp();
    const line = JSON.stringify(['Asset', 'a-2', 'x'.repeat(80), 1]);
    writeFileSync(memory, `${line}\n`.padEnd(65_530, ' \n'));
    symlinkSync(victim, `${memory}.old`);
    expect(await run(...get)).toEqual(shown);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(existsSync(`${memory}.old`)).toBe(false);
    expect(lstatSync(memory).isFile()).toBe(true);
  });
});

describe.each([['MAR_TOKEN_FILE'], ['token-file']])('a %s', (from) => {
  it.each([
    ['a FIFO', (file: string) => execFileSync('mkfifo', [file]), 'regular file'],
    ['an endless file', (file: string) => symlinkSync('/dev/zero', file), 'regular file'],
    ['a folder', mkdirSync, 'folder'],
  ])('that is %s is refused', async (_, put, reason) => {
    const { config, env } = await setUp();
    const file = path.join(config, 'token of its own');
    put(file);
    const profile = { baseUrl: env.MAR_BASE_URL, email: 'a@b.example' };
    const isVariable = from === 'MAR_TOKEN_FILE';
    writeProfiles(config, { default: isVariable ? profile : { ...profile, tokenFile: file } });
    const { MAR_TOKEN: _token, MAR_EMAIL: _email, MAR_BASE_URL: _url, ...rest } = env;
    const all = isVariable ? { ...rest, MAR_TOKEN_FILE: file } : rest;
    const { code, stderr } = await runWithinLimit(['asset', 'get', 'a-1'], all);
    expect(stderr).toMatch(new RegExp(`^error: .*${file}: .*${reason}$`, 'm'));
    expect(stderr).toContain(from);
    expect(code).toBe(2);
    const doctor = await runWithinLimit(['doctor'], all);
    expect(doctor.stdout).toMatch(new RegExp(`✗ Token .*${file}: .*${reason}$`, 'm'));
  });
});

describe.each(obstacles)('%s in place of a file', (_, put) => {
  it.each(['', '.old', '.lock'])('is not waited for where mar remembers: %s', async (ending) => {
    const { memory, run } = await setUp();
    put(`${memory}${ending}`);
    expect(await run(...get)).toEqual(shown);
    expect(await run('complete-words', 'zsh', 'asset', 'get', '')).toMatchObject({ code: 0 });
  });

  it.each([['config.json'], ['config.json.lock']])(
    'is named, and stays, where the settings are to be: %s',
    async (name) => {
      const { config, run } = await setUp();
      rmSync(path.join(config, name), { force: true });
      put(path.join(config, name));
      const { mode } = lstatSync(path.join(config, name));
      const { code, stderr } = await run('config', 'set', 'output', 'json');
      // A link to nowhere is what a folder of settings looks like before its first use.
      if (code === 0) expect(lstatSync(path.join(config, 'config.json')).isFile()).toBe(true);
      else {
        expect(stderr).toMatch(new RegExp(`^error: .*${path.join(config, name)}`));
        expect(code).toBe(2);
        expect(lstatSync(path.join(config, name)).mode).toBe(mode);
      }
    },
  );

  it('is named where the tokens are to be', async () => {
    const { config, env } = await setUp();
    const profile = { baseUrl: env.MAR_BASE_URL, email: 'a@b.example', store: 'file' };
    writeProfiles(config, { default: profile });
    const file = path.join(config, 'tokens.json');
    put(file);
    const { MAR_TOKEN: _token, MAR_EMAIL: _email, MAR_BASE_URL: _url, ...stored } = env;
    const { code, stderr } = await runWithinLimit(get, stored);
    // Where a link leads nowhere, there is no file, and so no token.
    if (code !== 4) {
      expect(stderr).toContain(`${file}: `);
      expect(code).toBe(2);
    }
  });

  it.each([
    ['sandbox.lock', []],
    ['sandbox.lock', ['--reset']],
    ['sandbox.db', []],
    ['sandbox.log', ['--background']],
    ['sandbox.log', ['--background', '--reset']],
  ])('is named in the data of a sandbox: %s %j', async (name, flags) => {
    const { run } = await setUp();
    const data = temporaryFolder();
    put(path.join(data, name));
    const { code, stderr } = await run('sandbox', '--data', data, ...flags);
    expect(stderr).toContain(data);
    expect(stderr).not.toContain('bug');
    expect(code).toBe(2);
  });
});
