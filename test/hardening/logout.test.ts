import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { writeProfiles } from '../harness/storedAccount.ts';

const email = 'ines@northlight.example';
const invalid = ['not a url', '', 'https://media.example/elsewhere', 'ftp://media.example/api'];

/** Somebody who is logged in to a service, beside a profile with an invalid base URL. */
async function loggedIn(invalidUrl: string) {
  const server = await recordingServer('[]');
  const folder = temporaryFolder();
  const env = { MAR_CONFIG_DIR: folder };
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const profiles = {
    main: { baseUrl: server.baseUrl, email, store: 'file' },
    twin: { baseUrl: server.baseUrl, email, store: 'file' },
    broken: { baseUrl: invalidUrl, email, store: 'file' },
  };
  const tokens = { [`${email} ${new URL(server.baseUrl).origin}`]: 's3cret', other: 'kept' };
  writeProfiles(folder, profiles, tokens);
  return {
    env,
    server,
    profiles: () => read('config.json').profiles,
    tokens: () => read('tokens.json'),
  };
}

describe('with another profile whose base URL is invalid', () => {
  it.each(invalid)('(%j) logout forgets the token, and its profiles say so', async (url) => {
    const { env, server, profiles, tokens } = await loggedIn(url);
    const run = await mar(['logout'], { env });
    expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests).toHaveLength(1);
    expect(tokens()).toEqual({ other: 'kept' });
    expect(profiles()).toEqual({
      broken: { baseUrl: url, email, store: 'file' },
      main: { baseUrl: server.baseUrl, email },
      twin: { baseUrl: server.baseUrl, email },
    });
  });

  it.each(invalid)('(%j) logout --all logs out of the others, and names it', async (url) => {
    const { env, profiles, tokens } = await loggedIn(url);
    const run = await mar(['logout', '--all'], { env });
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toMatch(/^error: .*broken/);
    expect(run.stderr).not.toContain('unexpectedly');
    expect(tokens()).toEqual({ other: 'kept' });
    const { main, twin, broken } = profiles();
    expect([main.store, twin.store, broken.store]).toEqual([undefined, undefined, 'file']);
  });

  it.each(invalid)('(%j) login replaces that profile', async (url) => {
    const { env, server, profiles, tokens } = await loggedIn(url);
    const argv = ['login', '--profile', 'broken', '--base-url', server.baseUrl, '--email', email];
    const flags = ['--token-stdin', '--insecure-storage'];
    const run = await mar([...argv, ...flags], { env, stdin: 'new' });
    expect(run.stderr).not.toContain('error');
    expect(run.code).toBe(0);
    expect(profiles().broken).toEqual({ baseUrl: server.baseUrl, email, store: 'file' });
    expect(tokens()).toMatchObject({ [`${email} ${new URL(server.baseUrl).origin}`]: 'new' });
  });
});
