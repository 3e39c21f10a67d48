import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type AssetsService, assetsService } from '../harness/assetsService.ts';
import { mar, startMar, temporaryFolder } from '../harness/mar.ts';

const ids = Array.from({ length: 8 }, (_, index) => `a-${index + 1}`);

async function startBatch() {
  const assets = await assetsService(ids.map((_id) => ({ _id, name: 'Old', slug: 's' })));
  const file = path.join(temporaryFolder(), 'assets.csv');
  writeFileSync(file, `_id,name\n${ids.map((id) => `${id},New\n`).join('')}`);
  const { env } = assets;
  return {
    assets,
    file,
    run: () => mar(['asset', 'put', '--batch', file], { env }),
    undo: () => mar(['batch', 'undo', file], { env }),
  };
}

/**
 * The first writes wait until `count` of them are in progress, then others change every asset that
 * was not written yet, then the writes get `status`.
 */
function changeWhileWriting(assets: AssetsService, count: number, status?: number): void {
  let waiting: (() => void)[] = [];
  let isOver = false;
  assets.treat = async (request) => {
    if (isOver || !request.startsWith('PUT')) return undefined;
    const released = new Promise<void>((release) => waiting.push(release));
    if (waiting.length === count) {
      isOver = true;
      const inProgress = status === undefined ? new Set(assets.written()) : new Set();
      for (const id of ids) if (!inProgress.has(id)) assets.change(id, { theirs: `kept in ${id}` });
      for (const release of waiting) release();
      waiting = [];
    }
    await released;
    return status;
  };
}

const kept = (assets: AssetsService) => ids.filter((id) => assets.asset(id).theirs !== undefined);
const names = (assets: AssetsService) => new Set(ids.map((id) => assets.asset(id).name));

test('changes of others to rows that wait for slow writes are kept', async () => {
  const { assets, run } = await startBatch();
  changeWhileWriting(assets, 4);
  expect(await run()).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  expect(names(assets)).toEqual(new Set(['New']));
  expect(kept(assets)).toHaveLength(4);
});

test('changes of others during the pause after a 429 are kept', async () => {
  const { assets, run } = await startBatch();
  changeWhileWriting(assets, 4, 429);
  expect(await run()).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  expect(names(assets)).toEqual(new Set(['New']));
  expect(kept(assets)).toEqual(ids);
});

test.each([
  ['slow writes', undefined, 4],
  ['a pause', 429, 8],
])('changes of others during %s of an undo are kept', async (_, status, count) => {
  const { assets, run, undo } = await startBatch();
  expect((await run()).code).toBe(0);
  assets.requests.length = 0;
  changeWhileWriting(assets, 4, status);
  expect(await undo()).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  expect(names(assets)).toEqual(new Set(['Old']));
  expect(kept(assets)).toHaveLength(count);
});

test('a row that got a 429 is a conflict if others then change the same field', async () => {
  const { assets, run } = await startBatch();
  let isFirst = true;
  assets.treat = (request) => {
    if (request !== 'PUT a-1' || !isFirst) return undefined;
    isFirst = false;
    assets.change('a-1', { name: 'Theirs' });
    return 429;
  };
  expect(await run()).toMatchObject({ code: 8, stdout: '8 rows: 7 done, 1 conflict\n' });
  expect(assets.asset('a-1').name).toBe('Theirs');
});

test('a row that is being read when another gets a 429 is read again after the pause', async () => {
  const { assets, file } = await startBatch();
  const argv = ['asset', 'put', '--batch', file, '--concurrency', '2'];
  const run = startMar(argv, { env: assets.env });
  assets.treat = async (request, count) => {
    if (request === 'PUT a-1' && count === 1) return 429;
    if (request === 'GET a-2' && count === 1) await run.stderr.until('is delayed');
    return undefined;
  };
  expect(await run.ended).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  const own = assets.requests.filter((request) => request.endsWith(' a-2'));
  expect(own).toEqual(['GET a-2', 'GET a-2', 'PUT a-2']);
});
