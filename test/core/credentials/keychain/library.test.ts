import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keychain } from '../../../../src/core/credentials/keychain/keychain.ts';
import { isRunning } from '../../../harness/isRunning.ts';
import { temporaryFolder } from '../../../harness/mar.ts';
import { accountWords } from '../../../words/account.ts';
import { failureOf, fakeBus } from './fakeBus.ts';

const key = { email: 'ines@northlight.example', origin: 'https://media.example' };
const canary = 'c4n4ry-t0ken';

/** Stands in for the process around the library: keeps its one entry in a file beside it. */
const working = `
  const request = JSON.parse(input);
  if (request.operation === 'store') fs.writeFileSync(entry, request.secret);
  if (request.operation === 'remove') fs.rmSync(entry, { force: true });
  const value = fs.existsSync(entry) ? fs.readFileSync(entry, 'utf8') : null;
  fs.writeFileSync('seen.json', JSON.stringify({ request, argv: process.argv, env: process.env }));
  process.stdout.write(JSON.stringify({ value }) + '\\n');
`;

function library(script: string) {
  const folder = temporaryFolder();
  const childScript = path.join(folder, 'child.mjs');
  const entry = path.join(folder, 'entry');
  const start = `import fs from 'node:fs'; const entry = 'entry'; const input = fs.readFileSync(0, 'utf8');`;
  writeFileSync(childScript, `${start}\n${script}`);
  const open = (platform: NodeJS.Platform, env: Record<string, string> = {}, limitMs = 600_000) =>
    keychain({ env, platform, execPath: process.execPath, limitMs, childScript });
  return {
    entry,
    open,
    /** The request, arguments and environment that the process received. */
    seen: () => JSON.parse(readFileSync(path.join(folder, 'seen.json'), 'utf8')),
    /** A bus whose Secret Service shows the entry that the script keeps. */
    bus: () =>
      fakeBus({
        items: () =>
          existsSync(entry) ? [{ path: '/item', secret: readFileSync(entry, 'utf8') }] : [],
      }),
  };
}

describe.each(['darwin', 'win32'] as const)('the keychain on %s', (platform) => {
  it('keeps a token, gives it back, and forgets it', async () => {
    const store = library(working).open(platform);
    await store.check();
    expect(await store.read(key)).toBeUndefined();
    await store.write(key, canary);
    expect(await store.read(key)).toBe(canary);
    await store.remove(key);
    expect(await store.read(key)).toBeUndefined();
    await store.remove(key);
  });
});

describe('the keychain on linux', () => {
  it('is written by the library, and read back from the Secret Service', async () => {
    const { open, bus, seen } = library(working);
    const { env, calls } = await bus();
    const store = open('linux', env);
    await store.check();
    await store.write(key, canary);
    expect(calls.at(-1)).toBe('GetSecret');
    expect(seen().env.DBUS_SESSION_BUS_ADDRESS).toBe(env.DBUS_SESSION_BUS_ADDRESS);
    expect(await store.read(key)).toBe(canary);
    await store.remove(key);
    expect(await store.read(key)).toBeUndefined();
  });

  it('is not asked to remove what is not there', async () => {
    const { open, bus } = library('process.exit(1)');
    await open('linux', (await bus()).env).remove(key);
  });

  it('that did not keep the token, or still has it, does not pass for one that did its work', async () => {
    const { open } = library(working);
    const { env } = await fakeBus({});
    const unstored = await failureOf(open('linux', env).write(key, canary));
    expect(unstored.message).toContain(accountWords.keychainPretends('store'));
    const { env: full } = await fakeBus({ items: [{ path: '/item', secret: canary }] });
    const kept = await failureOf(open('linux', full).remove(key));
    expect(kept.message).toContain(accountWords.keychainPretends('remove'));
  });
});

describe('the process around the library', () => {
  it('sees the secret in its request alone, and nothing of ours in its environment', async () => {
    const { open, seen } = library(working);
    const env = { PATH: '/bin', HOME: '/h', MAR_TOKEN: canary, mar_email: canary, NODE_X: canary };
    await open('darwin', env).write(key, canary);
    const { request, argv, env: childEnv } = seen();
    expect(request).toMatchObject({
      operation: 'store',
      service: 'mar',
      username: 'ines@northlight.example https://media.example',
      secret: canary,
    });
    expect(JSON.stringify([argv, childEnv])).not.toContain(canary);
    expect(childEnv).toMatchObject({ PATH: '/bin', HOME: '/h' });
  });

  it('that never responds is killed at the limit', async () => {
    const { open, entry } = library(
      `fs.writeFileSync(entry, String(process.pid)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    );
    const { message } = await failureOf(open('darwin', {}, 4000).read(key));
    expect(message).toBe(accountWords.keychainTooSlow('read'));
    const pid = Number(readFileSync(entry, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('that responds and does not end is not waited for', async () => {
    const { open } = library(`${working}\nsetInterval(() => {}, 1000);`);
    await open('darwin').write(key, canary);
  });

  it.each([
    ['fails', `process.stdout.write('{"failure":"no luck"}\\n')`, 'no luck'],
    ['crashes', 'process.abort()', accountWords.keychainProcessEnded('SIGABRT')],
    ['ends early', 'process.exit(3)', accountWords.keychainProcessEnded('3')],
    ['talks nonsense', `process.stdout.write('hello\\n')`, accountWords.keychainTalksNonsense],
    ['answers null', `process.stdout.write('null\\n')`, accountWords.keychainTalksNonsense],
  ])('that %s is a failure of the store', async (_, script, reason) => {
    const { message } = await failureOf(library(script).open('darwin').write(key, canary));
    expect(message).toContain(accountWords.keychainFailed('store') + reason);
  });

  it('that cannot be started is a failure of the store', async () => {
    const store = keychain({ env: {}, platform: 'win32', execPath: '/nonexistent/node' });
    const { message } = await failureOf(store.read(key));
    expect(message).toContain(accountWords.keychainFailed('read'));
  });
});
