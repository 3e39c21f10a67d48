import type { EndpointId } from '../../api/endpoints.ts';
import { journalHolder } from '../../batch/journal/journalLock.ts';
import { journalsOf } from '../../batch/journal/journalPaths.ts';
import { type ReplayedJournal, replay } from '../../batch/journal/replay.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { commandLine } from '../../values/commandLine.ts';
import { checkJournal } from './createdIds.ts';

/** The journal of a batch that can be undone. */
export async function readUndone(
  context: Context,
  file: string,
  endpointId: EndpointId,
): Promise<ReplayedJournal> {
  const [beside] = journalsOf(file);
  if (beside) {
    const hint = commandLine`Nothing was sent. Use --undo ${beside.journal}`;
    throw usageError(`--undo takes a journal, and ${file} is the input of a batch`, hint);
  }
  const replayed = await replay(file);
  if (!replayed) throw usageError(`--undo: cannot find the journal ${file}`, 'Nothing was sent.');
  checkJournal(context, '--undo', { file, header: replayed.header, endpointId });
  const holder = await journalHolder(file, context.world.processes);
  if (holder) {
    const problem = `--undo: the batch of ${file} is still running, in process ${holder.pid}`;
    throw usageError(problem, 'Nothing was sent. Wait until it ends, or stop it.');
  }
  return replayed;
}
