import type { EndpointId } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type Json, printJson } from '../../json/value.ts';
import { changeJson } from '../../records/recordChange.ts';
import { commandLine } from '../../values/commandLine.ts';
import { checkJournal } from './createdIds.ts';
import { journalHolder } from './journal/journalLock.ts';
import { journalsOf } from './journal/journalPaths.ts';
import { changeAt, linesOf, openJournal, type ReplayedJournal, replay } from './journal/replay.ts';

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
  checkJournal(context, '--undo', replayed, endpointId);
  const holder = await journalHolder(file, context.world.processes);
  if (holder) {
    const problem = `--undo: the batch of ${file} is still running, in process ${holder.pid}`;
    throw usageError(problem, 'Nothing was sent. Wait until it ends, or stop it.');
  }
  return replayed;
}

/**
 * The records that a batch changed, as the rows of a batch that writes the replaced values back. Rows
 * with an unknown outcome are among them: the records show whether they were changed. A record that
 * was changed several times is one row, with the latest change first.
 */
export async function* undoRows({ path, size }: ReplayedJournal): AsyncGenerator<string> {
  for (const [id, positions] of await changesById(path, size)) {
    if (positions.length === 0) continue;
    const changes = positions.reverse().map((position) => changeAt(path, position));
    const undo = changes.flatMap((change) => (change ? [changeJson(change)] : []));
    const row = new Map<string, Json>([
      ['_id', id],
      ['undo', undo],
    ]);
    yield `${printJson(row)}\n`;
  }
}

/** Proof that nothing was written. */
const notWritten: ReadonlySet<unknown> = new Set(['failed', 'unsent', 'conflict']);

/** The positions of the lines with the changes of each record, in the order of the journal. */
async function changesById(path: string, size: number): Promise<Map<string, number[]>> {
  const byId = new Map<string, number[]>();
  const inProgress = new Map<number, number[]>();
  const handle = await openJournal(path);
  try {
    for await (const { bytes, position } of handle ? linesOf(handle, path) : []) {
      if (position >= size) break;
      const { event, row, id, change } = JSON.parse(bytes.toString());
      // Rows of an edited input have other numbers.
      if (event === 'input') inProgress.clear();
      else if (event === 'sending' && typeof id === 'string' && change) {
        const positions = byId.get(id) ?? [];
        positions.push(position);
        byId.set(id, positions);
        inProgress.set(row, positions);
      } else if (notWritten.has(event)) inProgress.get(row)?.pop();
      if (event !== 'sending') inProgress.delete(row);
    }
  } finally {
    await handle?.close();
  }
  return byId;
}
