import { type EndpointId, endpoints } from '../api/endpoints.ts';
import { usageError } from '../errors.ts';
import { type Json, printJson } from '../json/value.ts';
import { changeJson } from '../records/recordChange.ts';
import type { Context } from '../session/context.ts';
import { commandLine } from '../values/commandLine.ts';
import { journalHolder } from './journal/journalLock.ts';
import { journalsOf } from './journal/journalPaths.ts';
import { changeAt, type ReplayedJournal, replay } from './journal/replay.ts';
import { reportLines } from './report/report.ts';

/**
 * The ids of the records that a batch has created so far, from all of its journals. `file` is the
 * input of the batch, or a journal. A batch that is running may be read too.
 */
export async function createdIds(
  context: Context,
  file: string,
  endpointId: EndpointId,
): Promise<string[]> {
  const ids: string[] = [];
  for (const journal of await replayAll(file)) {
    checkJournal(context, '--batch', journal, endpointId);
    for (const { id } of reportLines([journal])) if (id !== undefined) ids.push(id);
  }
  return ids;
}

async function replayAll(file: string) {
  const beside = journalsOf(file).map(({ journal }) => replay(journal));
  const alone = () =>
    replay(file).catch((error: Error) => {
      throw usageError(`--batch: ${file} has no journal, and ${error.message}`, noJournalHint);
    });
  const found = await Promise.all(beside.length > 0 ? beside : [alone()]);
  const journals = found.filter((one) => one !== undefined);
  if (journals.length > 0) return journals;
  throw usageError(`--batch: cannot find ${file} or its journal`, noJournalHint);
}

const noJournalHint =
  'Give the file of a batch that was started. If its journal is somewhere else, give the journal: --batch JOURNAL';

/** A batch that can be undone. */
export interface UndoneBatch {
  /** The `id` of its journal. */
  id: string;
  /** The rows of the batch that writes the replaced values back, as lines of JSON. */
  rows: Iterable<string>;
}

/** Proof that nothing was written. */
const notWritten: ReadonlySet<unknown> = new Set(['failed', 'unsent', 'conflict']);

/**
 * Finds the records that a batch changed. Those of rows with an unknown outcome are among them: the
 * records show whether they were changed.
 */
export async function readUndone(
  context: Context,
  file: string,
  endpointId: EndpointId,
): Promise<UndoneBatch> {
  const [beside] = journalsOf(file);
  if (beside) {
    const hint = commandLine`Nothing was sent. Use --undo ${beside.journal}`;
    throw usageError(`--undo takes a journal, and ${file} is the input of a batch`, hint);
  }
  // The positions of the lines with the changes of each record, in the order of the journal.
  const changesById = new Map<string, number[]>();
  const inProgress = new Map<number, number[]>();
  const replayed = await replay(file, (line, position) => {
    const { event, row, id, change } = Object(line);
    // Rows of an edited input have other numbers.
    if (event === 'input') inProgress.clear();
    else if (event === 'sending' && typeof id === 'string' && change) {
      const positions = changesById.get(id) ?? [];
      positions.push(position);
      changesById.set(id, positions);
      inProgress.set(row, positions);
    } else if (notWritten.has(event)) inProgress.get(row)?.pop();
    if (event !== 'sending') inProgress.delete(row);
  });
  if (!replayed) throw usageError(`--undo: cannot find the journal ${file}`, 'Nothing was sent.');
  checkJournal(context, '--undo', replayed, endpointId);
  const holder = await journalHolder(file, context.world.processes);
  if (holder) {
    const problem = `--undo: the batch of ${file} is still running, in process ${holder.pid}`;
    throw usageError(problem, 'Nothing was sent. Wait until it ends, or stop it.');
  }
  return { id: replayed.header.id, rows: undoRows(file, changesById) };
}

/** A record that was changed several times is one row, with the latest change first. */
function* undoRows(path: string, changesById: Map<string, number[]>): Generator<string> {
  for (const [id, positions] of changesById) {
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

/** Refuses the journal of another command or of another service. */
function checkJournal(
  context: Context,
  flag: '--batch' | '--undo',
  { path: file, header }: ReplayedJournal,
  endpointId: EndpointId,
): void {
  const { method, path: wanted } = endpoints[endpointId];
  if (header.command !== `${method} ${wanted}`) {
    const other = flag === '--undo' ? 'of another command' : 'that creates other records';
    throw usageError(`${flag}: ${file} belongs to a batch ${other}`);
  }
  const { href } = context.session.identity().baseUrl;
  const used = header.baseUrl;
  if (used === href) return;
  throw usageError(
    `${flag}: ${file} belongs to a batch at ${used}, but this command uses ${href}`,
    'Use the profile of the batch: --profile NAME',
  );
}
