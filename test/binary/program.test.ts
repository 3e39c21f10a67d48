import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram, startSandboxProgram } from '../harness/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [binary] = program;

describe('the one-file program', () => {
  it('needs nothing but itself', async () => {
    const folder = temporaryFolder();
    const alone = path.join(folder, 'somewhere', 'mar');
    mkdirSync(path.dirname(alone));
    copyFileSync(binary, alone);
    const env = { HOME: folder, PATH: '/nonexistent' };
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(await runProgram(['--version'], env, '', [alone])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
    const { baseUrl } = await startSandboxProgram(['--ephemeral'], env, [alone]);
    const tokens = { MAR_BASE_URL: baseUrl, MAR_EMAIL: 'a@b.example', MAR_TOKEN: 'none' };
    const refused = await runProgram(['asset', 'get', 'a-1'], { ...env, ...tokens }, '', [alone]);
    expect(refused.code, refused.stderr).toBe(4);
  });

  it('contains nothing of the machine that it was built on', () => {
    const content = readFileSync(binary, 'latin1');
    expect(content.includes(root)).toBe(false);
  });

  it('does not take what is meant for Node', async () => {
    const env = cleanEnvironment(temporaryFolder(), { NODE_OPTIONS: '--require /nonexistent.js' });
    expect(await runProgram(['asset', '--help'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await runProgram(['-e', '0'], env)).toMatchObject({ code: 2 });
  });
});

describe('its sandbox', () => {
  const start = (data: string) =>
    runProgram(['sandbox', '--data', data], cleanEnvironment(temporaryFolder()));

  it('does not share its folder', async () => {
    const data = temporaryFolder();
    await startSandboxProgram(['--data', data], cleanEnvironment(temporaryFolder()));
    expect(await start(data)).toMatchObject({ code: 2, stderr: expect.stringContaining(data) });
  });

  it('does not take what is no database for one', async () => {
    const data = temporaryFolder();
    const file = path.join(data, 'sandbox.db');
    writeFileSync(file, 'not a database'.repeat(100));
    expect(await start(data)).toMatchObject({ code: 2, stderr: expect.stringContaining(file) });
  });
});

describe('its keychain library', () => {
  /** Asks it for an entry where there is no keychain: an answer of its own shows that it is there. */
  async function ask(cache: string) {
    const env = {
      ...cleanEnvironment(temporaryFolder(), { MAR_CACHE_DIR: cache }),
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    };
    const child = spawn(binary, [], { env, argv0: 'mar-keychain-child' });
    let answer = '';
    child.stdout.on('data', (data) => {
      answer += data;
    });
    const request = { operation: 'read', service: 'mar', username: 'nobody', limitMs: 10_000 };
    child.stdin.end(JSON.stringify(request));
    await once(child, 'close');
    return JSON.parse(answer).failure;
  }

  it('is kept for its owner alone, and written once', async () => {
    const cache = path.join(temporaryFolder(), 'cache');
    const answer = await ask(cache);
    const [name = '', ...others] = readdirSync(cache);
    const { ino, mode } = statSync(path.join(cache, name));
    expect({ name, others, mode: mode & 0o777 }).toEqual({
      name: expect.stringMatching(/^keyring-[0-9a-f]{32}\.node$/),
      others: [],
      mode: 0o600,
    });
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(await ask(cache)).toBe(answer);
    expect(statSync(path.join(cache, name)).ino).toBe(ino);
  });

  it('is not loaded once it was changed, but written anew', async () => {
    const cache = temporaryFolder();
    const answer = await ask(cache);
    const [name = ''] = readdirSync(cache);
    const file = path.join(cache, name);
    const content = readFileSync(file);
    const changed = Buffer.from(content);
    changed.fill(0, 0, 4096);
    writeFileSync(file, changed);
    expect(await ask(cache)).toBe(answer);
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(readdirSync(cache)).toEqual([name]);
  });

  it('is not put where others may write', async () => {
    const cache = temporaryFolder();
    chmodSync(cache, 0o777);
    expect(await ask(cache)).toContain('MAR_CACHE_DIR');
    expect(readdirSync(cache)).toEqual([]);
  });
});
