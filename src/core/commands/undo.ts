import type { EndpointId } from '../api/endpoints.ts';
import { forPerson, hintList, runHint, usageError } from '../errors.ts';
import type { Input } from '../input.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import type { Context } from '../session/context.ts';
import { words } from '../values/commandLine.ts';
import { formatDate } from '../values/time.ts';
import { dryRunOption, yesOption } from '../writes/body.ts';
import { mergeWith, planChange } from '../writes/plan.ts';
import { overwriteOption, readTarget, targetOf } from '../writes/putRecord.ts';
import { recordTakenBack } from '../writes/recordIntent.ts';
import { review } from '../writes/review.ts';
import { carryOut, unchanged } from '../writes/write.ts';
import { assetView } from './asset/view.ts';
import type { Command } from './command.ts';
import { describeWrite, isUndo, isUndoable, loggedWrites, nextHints, pageOf } from './log.ts';
import { userView } from './user/view.ts';

export const command: Command = {
  summary: 'Take back the last change, or one that mar log numbers',
  details:
    'Writes back the values that asset put, asset edit or user put replaced. If others changed the same field since, mar shows both values and does not write that record; --force overwrites. A batch, or a shard of one, is taken back as a whole. All other writes are final, and so are changes that include a password or the previews of an asset.',
  arguments: [
    {
      name: 'number',
      summary: 'number of the write in mar log',
      optional: true,
    },
  ],
  options: [
    { ...dryRunOption, summary: 'show the change and write nothing' },
    yesOption,
    overwriteOption,
  ],
  examples: {
    'Take back the last change': 'mar undo',
    'See what would be written': 'mar undo --dry-run',
    'Take back a change of mar log': 'mar undo 12',
  },
  async *run(context, input) {
    const write = await undoneWrite(context, input);
    const { change, endpoint: name, what, batch } = write;
    if (batch) throw notUndoable(context, write);
    const endpoint = name as EndpointId;
    const view = endpoint === 'assetPut' ? assetView : userView;
    const invocation = { endpoint, view, input };
    const id = what.id ?? '';
    const target = targetOf(context, invocation, id);
    const first = await readTarget(context, endpoint, id);
    const { before, after } = change ?? { before: new Map(), after: new Map() };
    const back = mergeWith(
      target,
      { base: after, mine: before },
      first.record,
      'since you wrote it',
    );
    const plan = planChange(target, first, back.record);
    const takesBack = write.write;
    if (plan) {
      await review(context, input, plan);
      yield* carryOut(context, { ...plan, by: 'mar undo', takesBack }, invocation);
    } else {
      yield* unchanged(context, target.name, first.record, invocation);
      if (!input.options.dryRun) await recordTakenBack(context, { takesBack });
    }
  },
};

/** The write that `mar undo` takes back. Throws for one that is final. */
export async function undoneWrite(context: Context, { arguments: [given], options }: Input) {
  const writes = await loggedWrites(context);
  const own = writes.filter((one) => !isUndo(one) && one.outcome !== 'taken-back');
  const last = own.find(({ batch, counts, outcome }) =>
    batch && counts ? counts.done || counts.unknown : outcome !== 'refused',
  );
  const write =
    given === undefined
      ? (own.find(isUndoable) ?? last)
      : writes.find(({ number }) => String(number) === given);
  const { reporter, world } = context;
  if (given === undefined && write && last && write !== last) {
    const problem = `your last write cannot be taken back (${describeWrite(last)})`;
    const older = describeWrite(write);
    if (!options.dryRun && (options.yes || !reporter.isInteractive)) {
      const command = words`mar undo ${String(write.number)}`;
      const hints = ['Nothing was written.', runHint(`To take back "${older}"`, command)];
      throw usageError(problem, hints);
    }
    reporter.warn('older-write', `${problem}; this takes back an older one: ${older}`);
  }
  const list = runHint('To list what you wrote', words`mar log`);
  if (!write) {
    const problem =
      given === undefined ? 'nothing can be taken back' : `the log has no write ${given}`;
    throw usageError(problem, ['Nothing was written.', list], { value: given });
  }
  if (write.outcome === 'taken-back') {
    throw usageError(`${describeWrite(write)}: it was taken back before`, list);
  }
  if (!isUndoable(write)) throw notUndoable(context, write);
  const isAgreed = options.yes || options.dryRun || world.agent;
  if (!isAgreed && !reporter.isInteractive) {
    throw usageError(
      `this takes back: ${describeWrite(write)}`,
      forPerson(
        'Nothing was written. To take it back, add --yes; to see the change, use --dry-run.',
      ),
    );
  }
  if (write.batch && !isAgreed) {
    const sent = formatDate(new Date(write.at));
    reporter.reportOnce(`No. ${write.number} of ${sent}: ${describeWrite(write)}`, 'essential');
  }
  return write;
}

function notUndoable(context: Context, write: LoggedWrite) {
  const { id, outcome, batch } = write;
  const what = [describeWrite(write), id].filter(Boolean).join(', ');
  if (outcome === 'refused') {
    const problem = `the service refused it, so there is nothing to take back: ${what}`;
    return usageError(problem, 'Nothing was written.');
  }
  if (outcome === 'unknown' || outcome === 'repeated') {
    const problem = `the outcome is unknown, and mar cannot take it back if it arrived: ${what}`;
    return usageError(problem, ['Nothing was written.', ...hintList(nextHints(write))]);
  }
  const page = pageOf(context, write);
  return usageError(`it is final, and mar cannot take it back: ${what}`, [
    'Nothing was written.',
    ...(page ? [`Its page in the web application: ${page}`] : []),
    ...(batch ? [runHint('To list its rows', words`mar batch report ${batch.journal}`)] : []),
  ]);
}
