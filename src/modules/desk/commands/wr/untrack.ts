import type { Command } from '../../../../core/commands/command.ts';
import { usageError } from '../../../../core/errors.ts';
import { option } from '../../../../core/input.ts';
import { outcome } from '../../../../core/output/result.ts';
import { distinctIds, idsArgument } from '../../../../core/reads/getRecords.ts';
import {
  finishedCheck,
  refuseWithoutMemory,
  trackedIds,
  untrack,
} from '../../../../core/session/tracked.ts';
import { plural } from '../../../../core/values/numbers.ts';

export const command: Command = {
  summary: 'Take work requests off the list of mar today',
  details: 'The work requests themselves do not change: no request is sent.',
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [option('--finished', 'those that mar remembers as finished')],
  examples: {
    'Take a work request off the list': 'mar wr untrack wr-2001',
    'Take the finished ones off': 'mar wr untrack --finished',
  },
  async *run(context, input) {
    const { finished } = input.options;
    if (input.arguments.length === 0 && !finished) {
      throw usageError('no work requests given', 'Give their ids, or --finished.');
    }
    const { session, reporter } = context;
    refuseWithoutMemory(session);
    const isFinished = finishedCheck(session);
    const known = trackedIds(session);
    const wanted = await distinctIds(context, input);
    const removed = known.filter((id) => wanted.includes(id) || (finished && isFinished(id)));
    const missing = wanted.filter((id) => !known.includes(id));
    if (missing.length > 0) reporter.reportOnce(`Not on your list: ${missing.join(', ')}`);
    await untrack(session, removed);
    const text = `${plural(removed.length, 'work request')} taken off your list`;
    yield outcome({ removed, missing }, text);
  },
};
