import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, runProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/*
 * What a run loads, in place of how long it takes: a budget that holds on every machine. Who goes
 * beyond it has put something on the way of every command: load it when it is used, or, where it
 * earns its place, raise the budget and say why. Times are in `npm run bench`.
 */
const budgets = {
  // Most of it is package.json, for its version.
  version: { files: 2, kilobytes: 8, builtins: 30 },
  // After the output, an asset's fingerprint is remembered: Node's crypto and two files more, since
  // elements are known by their ids there as they are in a difference. A tenth of the bytes is what
  // is said of failures: it is text, and takes no measurable time until it is said. 2 kB are checks of
  // who owns the compiled code: 0.2 ms.
  assetGet: { files: 7, kilobytes: 193, builtins: 65 },
};

const watcher = fileURLToPath(new URL('../harness/loads.cjs', import.meta.url));

async function loads(argv: readonly string[], env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const report = path.join(folder, 'loads.json');
  const outcome = await runProgram(
    argv,
    cleanEnvironment(folder, {
      NODE_OPTIONS: `--require ${watcher}`,
      // So that every file passes through Node, which then knows of it.
      NODE_DISABLE_COMPILE_CACHE: '1',
      LOADS_FILE: report,
      ...env,
    }),
  );
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const { files, builtins } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, string[]>;
  const bytes = (files ?? []).reduce((sum, file) => sum + statSync(file).size, 0);
  return { files: files ?? [], kilobytes: bytes / 1000, builtins: builtins ?? [] };
}

test('--version loads next to nothing', async () => {
  const { files, kilobytes, builtins } = await loads(['--version']);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(budgets.version.files);
  expect(kilobytes).toBeLessThanOrEqual(budgets.version.kilobytes);
  expect(builtins.length, builtins.join('\n')).toBeLessThanOrEqual(budgets.version.builtins);
});

test('asset get loads what it needs and no more', async () => {
  const server = await recordingServer('{"_id":"a-1"}');
  const { files, kilobytes, builtins } = await loads(['asset', 'get', 'a-1', '--json'], server.env);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(budgets.assetGet.files);
  expect(kilobytes).toBeLessThanOrEqual(budgets.assetGet.kilobytes);
  expect(builtins.length, builtins.join('\n')).toBeLessThanOrEqual(budgets.assetGet.builtins);
});
