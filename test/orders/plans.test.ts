import path from 'node:path';
import { expect, it } from 'vitest';
import { failure } from '../harness/marWith.ts';
import { order, shop } from './shop.ts';

it('a plan is entered in the ledger when it is applied, and refused if its order was placed since', async () => {
  const { run, folder, count } = await shop();
  const before = await count();
  const [first, second] = [path.join(folder, 'first.json'), path.join(folder, 'second.json')];
  for (const file of [first, second]) expect((await run([...order, '--plan', file])).code).toBe(0);
  expect((await run(['plan', 'apply', first, '--yes'])).code).toBe(0);
  expect(await failure(2, run(['plan', 'apply', second, '--yes']))).toContain('--again');
  expect((await run(order)).code).toBe(2);
  expect(await count()).toBe(before + 1);
});
