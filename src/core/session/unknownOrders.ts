import { endpoints } from '../api/endpoints.ts';
import type { PlacedOrder } from '../config/ledger.ts';
import { MarError, runHint } from '../errors.ts';
import { orderOf } from '../records/orderIdentity.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { formatDate } from '../values/time.ts';
import type { Context } from './context.ts';

type Reader = Pick<Context, 'session' | 'reporter'>;

/** The orders of this machine that may have arrived: nobody has said yet. */
export async function unknownOrders({ session, reporter }: Reader): Promise<PlacedOrder[]> {
  try {
    return (await session.ledger())?.unknown(session.identity().baseUrl.href) ?? [];
  } catch (error) {
    // Only an order needs the ledger.
    if (!(error instanceof MarError)) throw error;
    reporter.warn('ledger', error.message);
    return [];
  }
}

/** `a-1001 fra FRA, 2026-11-17 21:03` */
const describe = ({ place, at }: PlacedOrder) => `${place}, ${formatDate(new Date(at))}`;

export async function warnOfUnknownOrders(context: Reader): Promise<void> {
  const orders = await unknownOrders(context);
  if (orders.length === 0) return;
  const verb = orders.length === 1 ? 'has' : 'have';
  const list = orders.slice(0, 3).map(describe).join('; ');
  context.reporter.warn('unknown-order', [
    `${plural(orders.length, 'order')} of this machine ${verb} an unknown outcome: ${list}`,
    runHint('To see what to do', words`mar batch list`),
  ]);
}

/** A work request that was found belongs to the order whose outcome was unknown, if both are the same. */
export async function settleFound(context: Context, ids: readonly string[]): Promise<string[]> {
  const { session } = context;
  const open = await unknownOrders(context);
  const settled: string[] = [];
  for (const id of open.length === 0 ? [] : ids) {
    const client = await session.client();
    const { value } = await client.call(endpoints.workRequestGet, { id });
    const { place, wants } = orderOf(value, session.service().parts('order', 'same'));
    const order = open.find((one) => one.place === place && one.wants === wants);
    if (!order) continue;
    await (await session.ledger())?.settle([{ order: order.order, as: 'created', id }]);
    open.splice(open.indexOf(order), 1);
    settled.push(id);
  }
  return settled;
}
