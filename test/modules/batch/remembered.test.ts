import { expect, test } from 'vitest';
import { offered } from '../../core/completion/harness.ts';
import { mar, startMar, temporaryFolder } from '../../harness/mar.ts';
import { storedAccount } from '../../harness/storedAccount.ts';
import { type Reaction, writeService } from '../../harness/writeService.ts';
import { batchWords } from '../../words/batch.ts';
import { batchOf, numbered, order } from './harness.ts';

async function prepare(rows: string, treat?: (body: unknown, count: number) => Reaction) {
  const service = await writeService(treat);
  const env = storedAccount(temporaryFolder(), service.baseUrl);
  const recent = () => offered(['wr', 'get', ''], env);
  return { ...service, env, recent, batch: batchOf({ env }, rows) };
}

test('records of a batch are recent, also if rows failed', async () => {
  const { recent, batch, env } = await prepare(
    order('1').replace('"a-1"', '"a-1","name":"Trailer"') + order('2'),
    (_, count) => (count === 2 ? { status: 422 } : {}),
  );
  await batch.fails(8, ['--concurrency', '1']);
  expect(await recent()).toEqual(['wr-1']);
  const found = await mar(['find', 'trailer', '--kind', 'wr', '--json'], { env });
  expect(JSON.parse(found.stdout)).toMatchObject([{ _id: 'wr-1' }]);
});

test('records of an interrupted batch are recent', async () => {
  const { recent, batch, env, ...service } = await prepare(numbered(9), () => 'hold');
  const run = startMar([...batch.argv, '--concurrency', '2'], { env });
  await service.until(2);
  run.signal('SIGINT');
  await run.stderr.until(batchWords.finishing);
  service.release();
  expect((await run.ended).code).toBe(130);
  expect((await recent()).sort()).toEqual(['wr-1', 'wr-2']);
});

test('the last 200 records of a batch are recent, the last one first', async () => {
  const { recent, batch } = await prepare(numbered(205));
  await batch.run(['--concurrency', '1']);
  expect(await recent()).toEqual(Array.from({ length: 200 }, (_, index) => `wr-${205 - index}`));
});
