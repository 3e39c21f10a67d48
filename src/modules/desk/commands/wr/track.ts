import type { Command } from '../../../../core/commands/command.ts';
import { type Results, rowsResult } from '../../../../core/output/result.ts';
import type { Column } from '../../../../core/output/viewType.ts';
import { distinctIds, fromOption, idsArgument } from '../../../../core/reads/getRecords.ts';
import type { Context } from '../../../../core/session/context.ts';
import { follow } from '../../../../core/session/follow.ts';
import { nothingFollowedNote, savedLooks, trackedIds } from '../../../../core/session/tracked.ts';

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
  options: [fromOption],
  examples: {
    'Put a work request on the list': 'mar wr track wr-2001',
    'Print the list': 'mar wr track',
  },
  async *run(context, input) {
    if (input.arguments.length === 0 && input.options.from === undefined) {
      return yield* list(context);
    }
    yield* follow(context, await distinctIds(context, input));
  },
};

async function* list({ session, reporter }: Context): Results {
  const seen = savedLooks(session);
  const tracked = trackedIds(session).map((id) => {
    const { status = null, due = null, reason = null } = seen.get(id) ?? {};
    return { id, status, due, reason };
  });
  yield rowsResult(tracked, columns);
  if (tracked.length === 0) reporter.reportAtEnd(nothingFollowedNote(session));
}
