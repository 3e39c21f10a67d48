import { endpoints } from '../api/endpoints.ts';
import { MarError, runHint } from '../errors.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import { orderOf } from '../records/orderIdentity.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import type { Context } from './context.ts';

type Reader = Pick<Context, 'session' | 'reporter'>;

/** The orders of this machine that may have arrived: nobody has said yet. */
async function unknownOrders({ session, reporter }: Reader): Promise<UnknownOrder[]> {
  try {
    const { baseUrl, email } = session.identity();
    const writes = (await session.log())?.writes(baseUrl.href, email) ?? [];
    const isUnknown = (write: LoggedWrite): write is UnknownOrder =>
      write.order !== undefined && write.outcome === 'unknown';
    return writes.filter(isUnknown);
  } catch (error) {
    // Only a write needs the log.
    if (!(error instanceof MarError)) throw error;
    reporter.warn('log', error.message);
    return [];
  }
}

type UnknownOrder = LoggedWrite & Required<Pick<LoggedWrite, 'order'>>;

export async function warnOfUnknownOrders(context: Reader): Promise<void> {
  const orders = await unknownOrders(context);
  if (orders.length === 0) return;
  const verb = orders.length === 1 ? 'has' : 'have';
  context.reporter.warn('unknown-order', [
    `${plural(orders.length, 'order')} of this machine ${verb} an unknown outcome`,
    runHint('To see what to do', words`mar log --unknown`),
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
    const { place, wants } = orderOf(value, session.service());
    const found = open.find(({ order }) => order.place === place && order.wants === wants);
    if (!found) continue;
    await (await session.log())?.settle([{ write: found.write, as: 'done', id }]);
    open.splice(open.indexOf(found), 1);
    settled.push(id);
  }
  return settled;
}
