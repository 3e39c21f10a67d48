import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program, runProgram } from '../harness/program.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';
import { storedAccount } from '../harness/storedAccount.ts';

/*
 * Budgets for what a run loads, because they hold on every machine, unlike times. If a change exceeds
 * one, load the new module only where it is used, or raise the budget and say why. `npm run bench`
 * measures times.
 */
const isNode20 = process.versions.node.startsWith('20.');

const budgets = {
  // Most of it is package.json, for the version.
  version: { files: 2, kilobytes: 8.6, builtins: 30 },
  // Two files read the token file of the profile. After the output, mar remembers the asset's fingerprint:
  // that takes node:crypto and two more files. A tenth of the bytes is messages for failures, which take no
  // measurable time until they are used. 6 kB are commander's own help: leaving it out saved less than 2 ms.
  // Later versions of Node divide the same code into more modules.
  assetGet: { files: 9, kilobytes: 229, builtins: isNode20 ? 65 : 85 },
  // Session, reporter and the printing of results are three, so that an agent needs only the first and a
  // reporter of its own. Each module has one file that describes it, and the service another one.
  wrGet: { sources: 90 },
  // One file with the names and flags of all commands, but not their code. 8 kB of it are languages and
  // the fields that --set takes. 1 kB are the filters of `today`, 1.2 kB the description of the service, 0.3 kB the log and undo.
  tab: { files: 3, kilobytes: 98.5, builtins: 36 },
};

const harnessFile = (name: string) => fileURLToPath(new URL(`../harness/${name}`, import.meta.url));

async function loads(argv: readonly string[], env: Record<string, string> = {}, which = program) {
  const folder = temporaryFolder();
  const report = path.join(folder, 'loads.json');
  const outcome = await runProgram(
    argv,
    cleanEnvironment(folder, {
      NODE_OPTIONS: `--require ${harnessFile('loads.cjs')}`,
      // Node then loads every file itself, so that loads.cjs sees it.
      NODE_DISABLE_COMPILE_CACHE: '1',
      LOADS_FILE: report,
      ...env,
    }),
    '',
    which,
  );
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const { files, builtins } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, string[]>;
  const bytes = (files ?? []).reduce((sum, file) => sum + statSync(file).size, 0);
  return { files: files ?? [], kilobytes: bytes / 1000, builtins: builtins ?? [] };
}

function expectWithin(
  { files, kilobytes, builtins }: Awaited<ReturnType<typeof loads>>,
  budget: { files: number; kilobytes: number; builtins: number },
): void {
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(budget.files);
  expect(kilobytes).toBeLessThanOrEqual(budget.kilobytes);
  // The clock of the progress, which counts only if a response is slow.
  const always = builtins.filter((name) => !/perf_hooks|internal\/(?:perf|histogram)/.test(name));
  expect(always.length, always.join('\n')).toBeLessThanOrEqual(budget.builtins);
}

test('--version loads next to nothing', async () => {
  expectWithin(await loads(['--version']), budgets.version);
});

test('asset get loads what it needs and no more', async () => {
  const server = await recordingServer('{"_id":"a-1"}');
  // With a token from the environment, nothing is remembered.
  const env = storedAccount(temporaryFolder(), server.baseUrl);
  expectWithin(await loads(['asset', 'get', 'a-1', '--json'], env), budgets.assetGet);
  expect(server.requests).toHaveLength(1);
});

test('wr get loads few source files', async () => {
  const server = await recordingServer('{"_id":"wr-1"}');
  const fromSources = [process.execPath, harnessFile('sourceLoads.cjs')] as const;
  const { files } = await loads(['wr', 'get', 'wr-1', '--json'], server.env, fromSources);
  const folder = `${path.resolve('src')}${path.sep}`;
  const sources = files.filter((file) => file.startsWith(folder));
  expect(sources).toContain(path.resolve('src/core/commands/wr/get.ts'));
  expect(sources.length, sources.join('\n')).toBeLessThanOrEqual(budgets.wrGet.sources);
});

test('Tab loads one small file', async () => {
  expectWithin(await loads(['complete-words', 'fish', 'wr', '']), budgets.tab);
});

test('the built program knows the names of rare languages', async () => {
  const server = await recordingServer('{}');
  const argv = ['translation', 'submit', '--work-request', 'wr-1', '--asset', 'a-1', '--dry-run'];
  const env = isolated(server.env);
  const { code, stderr } = await runProgram([...argv, '--language', 'spn'], env);
  expect(stderr).toContain('Sanapaná');
  expect(code).toBe(2);
});
