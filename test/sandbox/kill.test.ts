import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleSandbox, runSandbox } from './bundle.ts';
import {
  basic,
  demo,
  loggedIn,
  sendRequest,
  temporaryFolder,
  tokenOf,
  withoutPort,
} from './harness.ts';

test('records and tokens in a response survive kill -9', { timeout: 60_000 }, async () => {
  const bundle = await bundleSandbox({ libsql: true });
  const dataDir = await temporaryFolder();
  const answered = new Map<string, string>();
  let token: string | undefined;
  for (let round = 0; round < 4; round += 1) {
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
  expect(answered.size).toBeGreaterThanOrEqual(100);
});

test('after a kill while filling its database, it starts over', {
  timeout: 60_000,
}, async () => {
  const bundle = await bundleSandbox({ libsql: true });
  const dataDir = await temporaryFolder();
  const options = JSON.stringify({ dataDir, downloads: 60_000 });
  const log = join(dataDir, 'sandbox.db-wal');
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

test('a killed sandbox does not keep its folder locked; a living one does', async () => {
  const bundle = await bundleSandbox({ libsql: true });
  const dataDir = await temporaryFolder();
  const options = { dataDir, downloads: 10 };
  const living = await runSandbox(bundle, options);
  const second = await runSandbox(bundle, options);
  expect(second.first).toMatchObject({
    kind: 'usage',
    message: `another sandbox is using the data folder ${dataDir}`,
  });
  await living.kill();
  const third = await runSandbox(bundle, options);
  expect(third.first.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
});

test('without libsql the error says what to install', async () => {
  const bundle = await bundleSandbox({ libsql: false });
  const { first } = await runSandbox(bundle, { dataDir: await temporaryFolder() });
  expect(first).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('libsql'),
    details: { hint: 'To install it, run: npm install -g libsql' },
  });
});
