import { endpoints } from '../api/endpoints.ts';
import { MarError, runHint } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import { orderOf } from '../records/orderIdentity.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { minute } from '../values/time.ts';
import type { Context } from './context.ts';

type Reader = Pick<Context, 'session' | 'reporter'>;

/** The orders of this machine that may have arrived: nobody has said yet. Those of rows are in journals. */
async function openOrders({ session, reporter }: Reader): Promise<LoggedWrite[]> {
  try {
    const { baseUrl, email } = session.identity();
    const writes = (await session.log())?.writes(baseUrl.href, email) ?? [];
    return writes.filter(({ order, outcome }) => order && /^(unknown|repeated)$/.test(outcome));
  } catch (error) {
    // Only a write needs the log.
    if (!(error instanceof MarError)) throw error;
    reporter.warn('log', error.message);
    return [];
  }
}

export async function warnOfUnknownOrders(context: Reader): Promise<void> {
  const orders = (await openOrders(context)).filter(({ outcome }) => outcome === 'unknown');
  if (orders.length === 0) return;
  const verb = orders.length === 1 ? 'has' : 'have';
  context.reporter.warn('unknown-order', [
    `${plural(orders.length, 'order')} of this machine ${verb} an unknown outcome`,
    runHint('To see what to do', words`mar log --unknown`),
  ]);
}

/**
 * Settles the orders that made these work requests. A work request belongs to the order of the same work
 * that was sent at the time when it was created, unless the log knows its id.
 */
export async function settleFound(context: Context, ids: readonly string[]) {
  const { session, reporter, world } = context;
  const open = await openOrders(context);
  const settled: { id: string; number: number }[] = [];
  for (const id of open.length === 0 ? [] : ids) {
    const client = await session.client();
    const { value } = await client.call(endpoints.workRequestGet, { id });
    const { place, wants } = orderOf(value, session.service());
    const same = open.filter(({ order }) => order?.place === place && order.wants === wants);
    const log = await session.log();
    const { href } = session.identity().baseUrl;
    const isKnown = () => log?.find(href, new Set([place])).some((order) => order.id === id);
    if (same.length === 0 || isKnown()) continue;
    const created = session.clock.date(valueAt(value, 'created')) ?? world.now();
    const sentLater = ({ at }: LoggedWrite) => Date.parse(at) - created.getTime();
    const [found] = same
      // The clock of the service may be behind.
      .filter((order) => sentLater(order) <= minute)
      .sort((one, other) => Math.abs(sentLater(one)) - Math.abs(sentLater(other)));
    if (!found) {
      const text = `${id} was created before No. ${same[0]?.number} of mar log was sent, so it is another order`;
      reporter.warn('not-settled', text);
      continue;
    }
    await log?.settle([{ write: found.write, as: 'done', id }]);
    open.splice(open.indexOf(found), 1);
    settled.push({ id, number: found.number });
  }
  return settled;
}
