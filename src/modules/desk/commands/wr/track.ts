import type { Command } from '../../../../core/commands/command.ts';
import { workRequestView } from '../../../../core/commands/wr/view.ts';
import { MarError, usageError } from '../../../../core/errors.ts';
import { ServiceRecord } from '../../../../core/json/serviceRecord.ts';
import { listResult, outcome, type Results } from '../../../../core/output/result.ts';
import type { View } from '../../../../core/output/viewType.ts';
import { distinctIds, fromOption, idsArgument } from '../../../../core/reads/getRecords.ts';
import { readWorkRequests } from '../../../../core/reads/workRequests.ts';
import type { Context } from '../../../../core/session/context.ts';
import {
  nothingFollowedNote,
  refuseWithoutMemory,
  track,
  trackedIds,
} from '../../../../core/session/tracked.ts';
import { settleFound } from '../../../../core/session/unknownOrders.ts';
import { plural } from '../../../../core/values/numbers.ts';

const shown = ['_id', 'asset.name', 'language', 'territory', 'due.date', 'status'];

const view: View = {
  ...workRequestView,
  columns: shown.flatMap((path) => workRequestView.columns.filter((one) => one.path === path)),
};

export const command: Command = {
  summary: 'Put work requests on the list of mar today',
  details:
    'mar wr create puts new work requests on the list by itself. Without ids and --from, mar prints the list. With remember-ids off, or a token from the environment, there is no list.',
  view,
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [fromOption],
  examples: {
    'Put a work request on the list': 'mar wr track wr-2001',
    'Print the list': 'mar wr track',
    'Hand it over to a colleague': 'mar wr track -O list.xlsx',
    'Take over the list of a colleague': 'mar wr track --from list.xlsx',
  },
  async *run(context, input) {
    if (input.arguments.length === 0 && input.options.from === undefined) {
      return yield* list(context);
    }
    yield* follow(context, await distinctIds(context, input));
  },
};

async function* list(context: Context): Results {
  const { session, reporter } = context;
  const ids = trackedIds(session);
  const readings = await readWorkRequests(context, ids);
  const read = new Map(readings.map(({ id, record }) => [id, record]));
  const records = ids.map((id) => read.get(id) ?? ServiceRecord.fromValue({ _id: id }));
  yield listResult([records], view);
  const failures = readings.flatMap(({ error }) => error ?? []);
  if (failures.length > 0) reporter.warn('not-read', MarError.together(failures).message);
  if (ids.length === 0) reporter.reportAtEnd(nothingFollowedNote(session));
}

/** Puts work requests on the list of this account. */
async function* follow(context: Context, ids: readonly string[]): Results {
  const { session } = context;
  const { isDisabled } = session.memory;
  // A job in CI has no list, but may have a log.
  const settled = await settleFound(context, ids);
  if (settled.length < ids.length) refuseWithoutMemory(session);
  const before = new Set(trackedIds(session));
  const fresh = isDisabled ? [] : ids.filter((id) => !before.has(id));
  await track(session, fresh);
  // A failure to store must not fail other commands, so nobody has reported it.
  if (fresh.length > 0 && trackedIds(session).every((id) => before.has(id))) {
    const hint = 'Check that you can write there, and that the disk is not full.';
    throw usageError(`cannot store the list in ${session.folders.state}`, hint);
  }
  const added = `${plural(fresh.length, 'work request')} added to`;
  const none = ids.length === 0 ? 'No ids, so nothing was added to' : 'Already on';
  const what = fresh.length === 0 ? none : added;
  const lines = settled.map(
    ({ id, number }) => `No. ${number} of the log is settled: it created ${id}`,
  );
  const text = [...(isDisabled ? [] : [`${what} your list (mar today)`]), ...lines].join('\n');
  yield outcome({ added: fresh, settled }, text);
}
