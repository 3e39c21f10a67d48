import { expect, it } from 'vitest';
import { damages } from '../../core/log/damages.ts';
import { order, shop } from '../../core/orders/shop.ts';

it.each(damages)('mar today works with a log that is %s', async (_, damage) => {
  const { run, logFile } = await shop();
  await run(order);
  damage(logFile());
  expect((await run(['today'])).code).toBe(0);
});
