import { usageError } from '../errors.ts';
import { outcome, type Results } from '../output/result.ts';
import { plural } from '../values/numbers.ts';
import type { Context } from './context.ts';
import { refuseWithoutMemory, track, trackedIds } from './tracked.ts';
import { settleFound } from './unknownOrders.ts';

/** Puts work requests on the list of this account. */
export async function* follow(context: Context, ids: readonly string[]): Results {
  const { session } = context;
  refuseWithoutMemory(session);
  const before = new Set(trackedIds(session));
  const fresh = ids.filter((id) => !before.has(id));
  const settled = await settleFound(context, ids);
  await track(
    session,
    fresh.map((id) => ({ id, batch: '' })),
  );
  // A failure to store must not fail other commands, so nobody has reported it.
  if (fresh.length > 0 && trackedIds(session).every((id) => before.has(id))) {
    const hint = 'Check that you can write there, and that the disk is not full.';
    throw usageError(`cannot store the list in ${session.folders.state}`, hint);
  }
  const added = `${plural(fresh.length, 'work request')} added to`;
  const what = fresh.length === 0 ? 'Already on' : added;
  const lines = settled.map(
    (id) => `${id} is the order whose outcome was unknown. It is settled now.`,
  );
  const text = [`${what} your list`, ...lines].join('\n');
  yield outcome({ added: fresh, settled }, text);
}
