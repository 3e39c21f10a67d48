import { replay } from '../../batch/journal/replay.ts';
import { holderOfJournal } from '../../batch/lock.ts';
import { parseShard, shardSize } from '../../batch/shard.ts';
import { summarise } from '../../batch/summary.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { tell } from './batchEnd.ts';
import { reportRows } from './batchReport.ts';
import type { BatchSettings } from './batchSettings.ts';

/** Tells how far a batch came, from its journal alone: the service is not asked. */
export async function tellStatus(context: Context, settings: BatchSettings): Promise<void> {
  const { journal, report } = settings;
  const replayed = await replay(journal);
  if (!replayed) {
    throw usageError(
      `this batch was not begun: there is no journal ${journal}`,
      'without --status it is; a journal in another place is named with --journal',
    );
  }
  const { header, states } = replayed;
  const shard = parseShard(header.shard);
  const holder = await holderOfJournal(journal, context.world.processes);
  if (holder) context.note(`it is being run by process ${holder.pid}`);
  // Without anybody at it, nobody knows what became of what was under way.
  else {
    for (const row of [...states.rowsIn('sending')]) {
      states.set(row, 'unknown', states.placeOf(row));
    }
  }
  const { rows, origin, account, at } = header;
  context.note(`begun ${at} as ${account} at ${origin}`);
  if (report !== undefined) await reportRows(report, { journal, states, rows, shard });
  await tell(context, summarise(shardSize(rows, shard), states), states, journal);
  const [first] = states.rowsIn('unknown');
  if (first !== undefined) {
    context.note(
      `to decide an unknown row: --resolve ${first}=created or --resolve ${first}=retry`,
    );
  }
}
