import { expect, it } from 'vitest';
import { order, orderFor, shop } from '../core/orders/shop.ts';
import { failure } from '../harness/marWith.ts';

/* The log of writes, where modules have a part in it. */

it('mar log names the next step of an unknown outcome', async () => {
  const { run } = await shop('/workrequests reset 50%');
  await run(order);
  await run(orderFor('est', 'EST'));
  expect(JSON.parse((await run(['log', '--unknown', '--json'])).stdout)).toMatchObject([
    { next: expect.stringContaining('mar wr track') },
  ]);
});

it('mar undo takes a batch back', async () => {
  const { run, file } = await shop();
  const asset = async () => JSON.parse((await run(['asset', 'get', 'a-1001', '--json'])).stdout);
  const log = async () => JSON.parse((await run(['log', '--json'])).stdout);
  const { type } = await asset();
  const batch = file('assets.csv', '_id,type\na-1001,promo-2\na-1002,promo-2\n');
  expect((await run(['asset', 'put', '--batch', batch, '--yes'])).code).toBe(0);
  const [{ number, done, rows, what }] = await log();
  expect({ done, rows }).toEqual({ done: 2, rows: 2 });
  expect(what).toMatch(/, assets\.csv: 2 done$/);
  expect((await run(['undo', String(number), '--yes'])).code).toBe(0);
  expect(await asset()).toMatchObject({ type });
  const states = (await log()).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['done', 'taken back']);
});

it('mar undo takes back the run that it names, not a later one of the same file', async () => {
  const { run, file } = await shop();
  const batch = file('assets.csv', '_id,type\na-1001,promo-2\na-1002,promo-2\n');
  const put = ['asset', 'put', '--batch', batch, '--yes'];
  expect((await run(put)).code).toBe(0);
  await run(['asset', 'put', 'a-1001', '--set', 'type=own', '--yes']);
  expect((await run([...put, '--again=all'])).code).toBe(0);
  const log = async () => JSON.parse((await run(['log', '--json'])).stdout);
  const { number } = (await log()).at(-1);
  const undone = await run(['undo', String(number), '--yes']);
  expect(undone.code, undone.stderr).toBe(0);
  const states = (await log()).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['done', 'done', 'done', 'taken back']);
});

/** A batch that has changed the type of two assets, and the log. */
async function changedAssets(...faults: string[]) {
  const { run, file } = await shop(...faults);
  const batch = file('assets.csv', '_id,type\na-1001,promo-2\na-1002,promo-2\n');
  await run(['asset', 'put', '--batch', batch, '--yes']);
  const log = async () => JSON.parse((await run(['log', '--json'])).stdout);
  return { run, log, batch };
}

it('mar undo with the id of a row of a batch writes nothing, and refers to the log', async () => {
  const { run, log } = await changedAssets();
  const [{ number }] = await log();
  expect(await failure(2, run(['undo', 'a-1002', '--yes']))).toContain('mar log');
  expect((await log()).length).toBe(1);
  expect((await run(['undo', String(number), '--yes'])).code).toBe(0);
});

it('mar log shows orders of a batch as final, also beside an unknown one, and leads to their ids', async () => {
  const { run, file } = await shop('/workrequests reset 50%');
  const log = async () => JSON.parse((await run(['log', '--json'])).stdout)[0];
  const text = 'asset,language,territory,dng.dialogue\na-1001,fin,FIN,subtitled\n';
  const rows = file('orders.csv', `${text}a-1001,est,EST,subtitled\n`);
  const create = ['wr', 'create', '--batch', rows, '--yes', '--concurrency', '1'];
  expect((await run(create)).code).toBe(8);
  expect(await log()).toMatchObject({ state: 'unknown', undo: 'final', final: true });
  const [unknown] = JSON.parse((await run(['batch', 'status', rows, '--json'])).stdout).unknownRows;
  await run(['batch', 'resolve', rows, `${unknown}=retry`]);
  expect(await log()).toMatchObject({ state: 'unfinished', resent: 0 });
  expect((await run(create)).code).toBe(0);
  const again = await log();
  expect(again).toMatchObject({ state: 'sent again', resent: 1, final: true });
  expect(again.next).toContain('mar batch status');
  const report = JSON.parse((await run(['batch', 'report', rows, '--json'])).stdout);
  const { id } = report[unknown - 1];
  await run(['batch', 'resolve', rows, `${unknown}=created:${id}`]);
  expect(await log()).toMatchObject({ state: 'done', resent: 0 });
  expect((await log()).next).toContain(`mar batch report ${rows}.mar-journal`);
});

it('mar log shows a batch of which only some rows were taken back', async () => {
  const { run, log } = await changedAssets();
  const [{ number }] = await log();
  await run(['asset', 'put', 'a-1002', '--set', 'type=theirs', '--yes'], {
    env: { MAR_LOG: 'off' },
  });
  expect((await run(['undo', String(number), '--yes'])).code).toBe(8);
  expect(await log()).toMatchObject([
    { state: 'unfinished', done: 1, conflict: 1, next: expect.stringContaining('batch status') },
    { state: 'partly taken back', takenBackWith: `mar undo ${number}` },
  ]);
});

it('mar log shows a batch with rows that were refused as unfinished', async () => {
  const { log } = await changedAssets('/assets 422 50%');
  expect(await log()).toMatchObject([
    { state: 'unfinished', failed: 1, final: false, next: expect.stringContaining('batch status') },
  ]);
});

it('mar undo does not count a batch that wrote nothing as the last write', async () => {
  const { run, file } = await shop('/workrequests 422');
  await run(['asset', 'put', 'a-1001', '--set', 'type=promo', '--yes']);
  const rows = file('refused.csv', 'asset,language,uses.items\na-1001,swe,online\n');
  expect((await run(['wr', 'create', '--batch', rows])).stdout).toContain('1 failed');
  const undone = await run(['undo', '--yes']);
  expect(undone.code, undone.stderr).toBe(0);
  expect(undone.stderr).not.toContain('final');
});
