import { existsSync } from 'node:fs';
import { endpoints } from '../api/endpoints.ts';
import { MarError, runHint } from '../errors.ts';
import { valueAt } from '../json/fields.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import { orderOf } from '../records/orderIdentity.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { minute } from '../values/time.ts';
import type { Context } from './context.ts';
import { batchKey } from './tracked.ts';

type Reader = Pick<Context, 'session' | 'reporter'>;

/** The writes of the account, from the oldest to the newest. Only a write needs the log. */
async function knownWrites({ session, reporter }: Reader): Promise<LoggedWrite[]> {
  try {
    const { baseUrl, email } = session.identity();
    return (await session.log())?.writes(baseUrl.href, email) ?? [];
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    reporter.warn('log', error.message);
    return [];
  }
}

const openStates = ['unknown', 'failed', 'conflict', 'invalid', 'pending'];

/** What the log says of orders: the number of unknown outcomes, and the batches with rows that are not done. */
export async function openOrders(context: Reader) {
  const writes = await knownWrites(context);
  const orders = writes.filter(({ order, outcome }) => order && outcome === 'unknown');
  const lastRuns = new Map(writes.map((write) => [write.batch?.journal ?? '', write]));
  const batches = [...lastRuns].flatMap(([journal, run]) => {
    // Without counts, the run is in progress or was killed.
    const isOpen = !run.counts || openStates.some((state) => run.counts?.[state]);
    const isOrder = run.endpoint === 'workRequestCreate' && existsSync(journal);
    return isOrder && isOpen ? { ...run, file: batchKey(journal) } : [];
  });
  const unknown = batches.reduce((sum, { counts }) => sum + (counts?.unknown ?? 0), orders.length);
  return { writes, batches, unknown };
}

export function warnOfUnknownOrders({ reporter }: Pick<Reader, 'reporter'>, count: number): void {
  if (count === 0) return;
  reporter.warn('unknown-order', [
    `${plural(count, 'order')} of this machine ${count === 1 ? 'has' : 'have'} an unknown outcome`,
    runHint('To see what to do', words`mar log --unknown`),
  ]);
}

/**
 * Settles the orders that made these work requests. A work request belongs to the order of the same work
 * that was sent at the time when it was created, unless the log knows its id. Rows of batches are only named.
 */
export async function settleFound(context: Context, ids: readonly string[]) {
  const { session, reporter, world } = context;
  const { writes, batches } = await openOrders(context);
  const open = writes.flatMap(({ order, ...write }) =>
    order && /^(unknown|repeated)$/.test(write.outcome) ? [{ ...write, ...order }] : [],
  );
  const hasUnknownRows = batches.some(({ counts }) => counts?.unknown !== 0);
  const settled: { id: string; number: number }[] = [];
  for (const id of open.length > 0 || hasUnknownRows ? ids : []) {
    const client = await session.client();
    const { value } = await client.call(endpoints.workRequestGet, { id });
    const { place, wants } = orderOf(value, session.service());
    const log = await session.log();
    const placed = log?.find(session.identity().baseUrl.href, new Set([place])) ?? [];
    const rows = placed.filter(({ batch, outcome }) => batch && outcome === 'unknown');
    const same = [...open, ...rows].filter((one) => one.place === place && one.wants === wants);
    if (same.length === 0 || placed.some((order) => order.id === id)) continue;
    const created = session.clock.date(valueAt(value, 'created')) ?? world.now();
    const sentLater = ({ at }: LoggedWrite) => Date.parse(at) - created.getTime();
    const [found] = same
      // The clock of the service may be behind.
      .filter((order) => sentLater(order) <= minute)
      .sort((one, other) => Math.abs(sentLater(one)) - Math.abs(sentLater(other)));
    if (!found) {
      const text = `${id} was created before No. ${same[0]?.number} of mar log was sent, so it is another order`;
      reporter.warn('not-settled', text);
    } else if (found.batch) {
      const decision = `${found.row}=created:${id}`;
      const text = `${id} may be row ${found.row} of ${found.file}, whose outcome is unknown`;
      reporter.warn('unknown-row', [
        text,
        runHint('If it is', words`mar batch resolve ${batchKey(found.batch.journal)} ${decision}`),
      ]);
    } else {
      await log?.settle([{ write: found.write, as: 'done', id }]);
      open.splice(open.indexOf(found), 1);
      settled.push({ id, number: found.number });
    }
  }
  return settled;
}
