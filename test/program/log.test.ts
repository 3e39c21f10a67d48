import { expect, it } from 'vitest';
import { order, orderFor, shop } from '../core/orders/shop.ts';

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
  const [{ number, done, rows }] = await log();
  expect({ done, rows }).toEqual({ done: 2, rows: 2 });
  expect((await run(['undo', String(number), '--yes'])).code).toBe(0);
  expect(await asset()).toMatchObject({ type });
  const states = (await log()).map(({ state }: { state: string }) => state);
  expect(states).toEqual(['done', 'taken back']);
});
