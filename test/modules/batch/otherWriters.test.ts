import { expect, test } from 'vitest';
import { type AssetsService, assetsService } from '../../harness/assetsService.ts';
import { startMar } from '../../harness/mar.ts';
import { batchOf } from './harness.ts';

const ids = Array.from({ length: 8 }, (_, index) => `a-${index + 1}`);

async function startBatch() {
  const assets = await assetsService(ids.map((_id) => ({ _id, name: 'Old', slug: 's' })));
  const rows = `_id,name\n${ids.map((id) => `${id},New\n`).join('')}`;
  return { assets, ...batchOf(assets, rows, 'assets.csv', 'asset put') };
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

test.each([
  ['slow writes', undefined, 4],
  ['the pause after a 429', 429, 8],
])('changes of others during %s are kept, also by an undo', async (_, status, count) => {
  const { assets, ends, verb } = await startBatch();
  changeWhileWriting(assets, 4, status);
  await ends(0, '8 rows: 8 done');
  expect(names(assets)).toEqual(new Set(['New']));
  expect(kept(assets)).toHaveLength(count);
  for (const id of ids) assets.change(id, { theirs: undefined });
  assets.requests.length = 0;
  changeWhileWriting(assets, 4, status);
  expect(await verb('undo', ['--yes'])).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  expect(names(assets)).toEqual(new Set(['Old']));
  expect(kept(assets)).toHaveLength(count);
});

test('a row that got a 429 is a conflict if others then change the same field', async () => {
  const { assets, ends } = await startBatch();
  let isFirst = true;
  assets.treat = (request) => {
    if (request !== 'PUT a-1' || !isFirst) return undefined;
    isFirst = false;
    assets.change('a-1', { name: 'Theirs' });
    return 429;
  };
  await ends(8, '8 rows: 7 done, 1 conflict');
  expect(assets.asset('a-1').name).toBe('Theirs');
});

test('a row that is being read when another gets a 429 is read again after the pause', async () => {
  const { assets, argv } = await startBatch();
  const run = startMar([...argv, '--concurrency', '2'], assets);
  assets.treat = async (request, count) => {
    if (request === 'PUT a-1' && count === 1) return 429;
    if (request === 'GET a-2' && count === 1) await run.stderr.until('Row 1 ');
    return undefined;
  };
  expect(await run.ended).toMatchObject({ code: 0, stdout: '8 rows: 8 done\n' });
  const own = assets.requests.filter((request) => request.endsWith(' a-2'));
  expect(own).toEqual(['GET a-2', 'GET a-2', 'PUT a-2']);
});
