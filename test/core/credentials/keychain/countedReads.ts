import { expect } from 'vitest';
import { email, home } from '../../../harness/home.ts';
import { mar } from '../../../harness/mar.ts';
import { recordingServer } from '../../../harness/recordingServer.ts';
import { fakeBus, type Item } from './fakeBus.ts';

const item: Item = { path: '/org/freedesktop/secrets/collection/login/1', secret: 's3cret' };

/** Logged in through a keychain that counts how often the token is read. */
export async function loggedIn(...records: string[]) {
  const { baseUrl, requests } = await recordingServer(...records);
  const bus = await fakeBus({ items: [item] });
  const { folder, env: own, writeConfig } = home();
  writeConfig({ profiles: { default: { baseUrl, email, store: 'keychain' } } });
  const env = { ...bus.env, ...own, MAR_STATE_DIR: folder };
  return {
    requests,
    run: (argv: readonly string[]) => mar(argv, { env }),
    reads: () => bus.calls.filter((member) => member === 'GetSecret').length,
  };
}

/** Runs a command that sends this many requests, and reads the token once. */
export async function expectOneRead(line: string, records: readonly string[], count: number) {
  const { run, reads, requests } = await loggedIn(...records);
  const { code, stderr } = await run(line.split(' '));
  expect(code, stderr).toBe(0);
  expect(requests.length).toBe(count);
  expect(reads()).toBe(1);
}
