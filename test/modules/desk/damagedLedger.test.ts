import { expect, it } from 'vitest';
import { damages } from '../../core/orders/damages.ts';
import { order, orderFor, shop } from '../../core/orders/shop.ts';

it.each(damages)('mar today works with a ledger that is %s', async (_, damage) => {
  const { run, ledgerFile } = await shop();
  await run(order);
  damage(ledgerFile());
  expect((await run([...orderFor('est', 'EST'), '--again'])).code).toBe(0);
  expect((await run(['today'])).code).toBe(0);
});
