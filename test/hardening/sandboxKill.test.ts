import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { bundleSandbox, runSandbox } from '../modules/sandbox/bundle.ts';
import {
  basic,
  demo,
  loggedIn,
  sendRequest,
  tokenOf,
  withoutPort,
} from '../modules/sandbox/harness.ts';

const kills = 8;

test('records and tokens in a response survive kill -9, again and again', async () => {
  const bundle = await bundleSandbox();
  const dataDir = temporaryFolder();
  const answered = new Map<string, string>();
  let token: string | undefined;
  for (let round = 0; round < kills; round += 1) {
    const { first: sandbox, kill } = await runSandbox(bundle, { dataDir, downloads: 50 });
    token ??= await tokenOf(sandbox);
    const headers = { Authorization: basic(demo.email, `token-${token}`) };
    for (const [id, text] of answered) {
      const stored = await sendRequest(sandbox, 'GET', `/workrequests/${id}`, { headers });
      expect(withoutPort(stored.text)).toBe(text);
    }
    // Four writers continue until the process is killed.
    const write = async (): Promise<void> => {
      for (;;) {
        const body = { asset: 'a-1001', instructions: `${answered.size}` };
        const reply = await sendRequest(sandbox, 'POST', '/workrequests', { headers, body });
        answered.set(reply.json._id, withoutPort(reply.text));
        if (answered.size >= 25 * (round + 1)) void kill();
      }
    };
    await Promise.allSettled([write(), write(), write(), write()]);
    await kill();
  }
  expect(answered.size).toBeGreaterThanOrEqual(25 * kills);
});

test('a kill at any moment of filling the database does no harm', async () => {
  const bundle = await bundleSandbox();
  const dataDir = temporaryFolder();
  const options = JSON.stringify({ dataDir, downloads: 60_000 });
  const log = join(dataDir, 'sandbox.db-wal');
  // Of the new database, when the process is killed.
  for (const size of [1, 100_000, 1_000_000, 5_000_000]) {
    const child = spawn(process.execPath, [bundle, options], { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const watcher = watch(dataDir, () => {
      if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) >= size) child.kill('SIGKILL');
    });
    await exited;
    watcher.close();
    // Far less than the whole database: the process died in the middle.
    expect((await stat(log)).size).toBeLessThan(10_000_000);
  }
  const { first: sandbox } = await runSandbox(bundle, { dataDir, downloads: 120 });
  const call = await loggedIn(sandbox);
  const { headers } = await call('GET', '/downloads');
  expect(headers['x-total-count']).toBe('120');
  expect((await call('GET', '/notifications/n-3004')).status).toBe(200);
});
