import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { assetsService } from '../../harness/assetsService.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { storedAccount } from '../../harness/storedAccount.ts';
import { type WriteService, writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import { batchOf, newBatch, numbered, order } from './harness.ts';

/** Its writes are in the log of its state folder. */
const accountAt = (baseUrl: string) => ({
  ...storedAccount(temporaryFolder(), baseUrl),
  MAR_LOG: '',
});

/** A stored account at a service, whose batches are remembered. */
async function remembering(treat?: Parameters<typeof writeService>[0]) {
  const service = await writeService(treat);
  const env = accountAt(service.baseUrl);
  return { ...service, env, ...listsOf(env) };
}

const listsOf = (env: WriteService['env']) => ({
  batches: async () => JSON.parse((await mar(['batch', 'list', '--json'], { env })).stdout),
  list: () => mar(['batch', 'list'], { env }),
});

test('unfinished batches are listed, the newest first, each with its next step', async () => {
  const { env, batches, list } = await remembering(({ instructions }) => {
    if (instructions === 'refused') return { status: 422 };
    return instructions === 'lost' ? 'reset' : {};
  });
  const refused = batchOf({ env }, numbered(2) + order('refused'));
  const lost = batchOf({ env }, order('lost') + order('refused'));
  const done = batchOf({ env }, numbered(1));
  for (const batch of [refused, lost, done]) await batch.run(['--again']);
  const found = await batches();
  expect(found).toMatchObject([
    {
      ...{ file: lost.file, journal: lost.journal, progress: '0 of 2 done' },
      command: 'mar wr create',
      ...{ state: 'unknown', rows: 2, failed: 1, unknown: 1 },
      next: expect.stringContaining(`mar batch resolve ${lost.file}`),
    },
    {
      ...{ file: refused.file, progress: '2 of 3 done', state: 'failed' },
      next: expect.stringContaining('Fix the rows'),
    },
  ]);
  expect((await list()).stdout).toContain(`${refused.file}\tmar wr create\t2 of 3 done\tfailed\t`);
  await lost.verb('resolve', ['1=retry']);
  expect((await batches())[0]).toMatchObject({ state: 'failed', pending: 1 });
  await refused.run(['--again=failed']);
  expect((await batches())[0].file).toBe(refused.file);
});

test('pending rows are resumed by the same command, whatever its journal is', async () => {
  const { env, batches } = await remembering(() => ({ status: 401 }));
  const journal = path.join(temporaryFolder(), 'journal');
  await batchOf({ env }, numbered(1)).run(['--journal', journal]);
  const sharded = batchOf({ env }, numbered(4));
  await sharded.run(['--shard', '2/2']);
  const next = batchWords.sameCommand;
  expect(await batches()).toMatchObject([
    { file: `${sharded.file}.2-of-2.mar-journal`, next },
    { file: journal, next },
  ]);
});

test('a batch that runs is listed as running', async () => {
  const { env, batches, until, release } = await remembering(() => 'hold');
  const batch = batchOf({ env }, numbered(1));
  const run = batch.run();
  await until(1);
  expect(await batches()).toMatchObject([
    {
      state: 'running',
      progress: '0 of 1 done',
      next: expect.stringContaining(`process ${process.pid}: mar batch status ${batch.file}`),
    },
  ]);
  release();
  expect((await run).code).toBe(0);
  expect(await batches()).toEqual([]);
});

test('changes of assets and their undo are listed, with conflicts', async () => {
  const assets = await assetsService([{ _id: 'a-1', name: 'Old' }]);
  const env = accountAt(assets.env.MAR_BASE_URL ?? '');
  const { batches } = listsOf(env);
  const batch = batchOf({ env }, '_id,name\na-1,New\n', 'assets.csv', 'asset put');
  expect((await batch.run()).code).toBe(0);
  expect(await batches()).toEqual([]);
  assets.change('a-1', { name: 'Theirs' });
  expect((await batch.verb('undo', ['--yes'])).code).toBe(8);
  expect(await batches()).toMatchObject([
    {
      file: `${batch.file}.undo.mar-journal`,
      command: 'mar batch undo',
      state: 'conflict',
      next: expect.not.stringContaining('--again'),
    },
  ]);
  assets.change('a-1', { name: 'New' });
  expect((await batch.verb('undo', ['--again=failed', '--yes'])).code).toBe(0);
  expect(await batches()).toEqual([]);
});

test('a journal that is gone is forgotten, and one that is damaged is named', async () => {
  const { env, batches, list } = await remembering(() => ({ status: 422 }));
  const [gone, damaged] = [batchOf({ env }, numbered(1)), batchOf({ env }, numbered(1))];
  for (const batch of [gone, damaged]) await batch.run();
  rmSync(gone.journal);
  writeFileSync(damaged.journal, '');
  expect(await batches()).toMatchObject([
    { file: damaged.file, state: 'unreadable', next: expect.stringContaining(damaged.journal) },
  ]);
  rmSync(damaged.journal);
  expect(await list()).toMatchObject({ stdout: '', stderr: `${batchWords.allFinished}\n` });
});

test('each account lists its own batches', async () => {
  const { env, batches } = await remembering(() => ({ status: 422 }));
  const other = await remembering(() => ({ status: 422 }));
  const batch = batchOf({ env }, numbered(1));
  await batch.run();
  await batchOf({ env: other.env }, numbered(1)).run();
  // Another account starts over with the same file.
  await batch.run(['--again=all', '--yes'], { env: other.env });
  expect(await batches()).toEqual([]);
  expect(await other.batches()).toHaveLength(2);
});

test('with a token from the environment, the log that MAR_LOG names has the batches', async () => {
  const { service, batch } = await newBatch(numbered(1), { treat: () => ({ status: 422 }) });
  const env = { ...service.env, MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') };
  await batch.run([], { env });
  expect(await listsOf(env).batches()).toMatchObject([{ file: batch.file, state: 'failed' }]);
});
