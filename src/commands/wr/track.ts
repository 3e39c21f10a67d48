import { createdIds } from '../../batch/index.ts';
import { usageError } from '../../errors.ts';
import { option, stringOption } from '../../input.ts';
import { outcome, type Results, rowsResult } from '../../output/result.ts';
import type { Column } from '../../output/view.ts';
import { distinctIds, fromOption, idsArgument } from '../../reads/get.ts';
import type { Context } from '../../session/context.ts';
import { settleFound } from '../../session/openOrders.ts';
import {
  batchKey,
  nothingKnownNote,
  refuseWithoutMemory,
  savedLooks,
  track,
  trackedIds,
} from '../../session/tracked.ts';
import { plural } from '../../values/numbers.ts';
import type { Command } from '../command.ts';

const columns: readonly Column[] = [
  { title: 'Id', path: 'id', kind: 'id' },
  { title: 'Status', path: 'status', kind: 'status', importance: 3 },
  { title: 'Due', path: 'due', importance: 3 },
  { title: 'Reason', path: 'reason', importance: 1 },
];

export const command: Command = {
  summary: 'Put work requests on the list of mar today',
  details:
    'Without ids, mar prints the list, with what you last saw of each work request. It sends no request. The ' +
    'work requests that you create are on it already, unless you turn that off: mar config set track-created off',
  view: { columns },
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [
    fromOption,
    option('--batch <file>', 'track what wr create --batch FILE has created, from its journal', {
      completes: 'file',
    }),
  ],
  examples: {
    'Put a work request on the list': 'mar wr track wr-2001',
    'Print the list': 'mar wr track',
    'Track what a batch created on another machine': 'mar wr track --batch rows.csv',
  },
  async *run(context, input) {
    const batch = stringOption(input, 'batch');
    const isListed = input.arguments.length === 0 && (input.options.from ?? batch) === undefined;
    if (isListed) return yield* list(context);
    const named = await distinctIds(context, input);
    const created =
      batch === undefined ? [] : await createdIds(context, batch, 'workRequestCreate');
    refuseWithoutMemory(context.session);
    const ids = [...new Set([...named, ...created])];
    const before = new Set(trackedIds(context.session));
    const fresh = ids.filter((id) => !before.has(id));
    const settled = await settleFound(context, ids);
    const [ofBatch, key] = [new Set(created), batchKey(batch ?? '')];
    const followed = fresh.map((id) => ({ id, batch: ofBatch.has(id) ? key : '' }));
    await track(context.session, followed);
    // A failure to store must not fail other commands, so nobody has reported it.
    if (fresh.length > 0 && trackedIds(context.session).every((id) => before.has(id))) {
      const hint = 'Check that you can write there, and that the disk is not full.';
      throw usageError(`cannot store the list in ${context.session.folders.state}`, hint);
    }
    const added = `${plural(fresh.length, 'work request')} added to`;
    const what = fresh.length === 0 ? 'Already on' : added;
    const lines = settled.map(
      (id) => `${id} is the order whose outcome was unknown. It is settled now.`,
    );
    const text = [`${what} your list (mar today)`, ...lines].join('\n');
    yield outcome({ added: fresh, settled }, text);
  },
};

async function* list({ session, reporter }: Context): Results {
  const seen = savedLooks(session);
  const tracked = trackedIds(session).map((id) => {
    const { status = null, due = null, reason = null } = seen.get(id) ?? {};
    return { id, status, due, reason };
  });
  yield rowsResult(tracked, columns);
  if (tracked.length === 0) reporter.reportAtEnd(nothingKnownNote(session));
}
