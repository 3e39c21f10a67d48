import { type Endpoint, endpoints } from '../../core/api/endpoints.ts';
import { onCommandLine, runHint, usageError } from '../../core/errors.ts';
import { type Json, type JsonObject, printJson } from '../../core/json/value.ts';
import { changeJson, readChange } from '../../core/records/recordChange.ts';
import type { Row } from '../../core/rows/row.ts';
import type { Context } from '../../core/session/context.ts';
import { words } from '../../core/values/commandLine.ts';
import { mergeWith, type Target } from '../../core/writes/plan.ts';
import { batchName, findJournal, readJournal } from './journal/findJournals.ts';
import { endpointOf, type JournalHeader } from './journal/format.ts';
import { changeAt } from './journal/replay.ts';

/** Proof that nothing was written. A row that failed without a status was accepted, at least in part. */
const isNotWritten = (event: unknown, status: unknown) =>
  event === 'unsent' || event === 'conflict' || (event === 'failed' && status !== undefined);

/**
 * Finds the records that a batch changed. Those of rows with an unknown outcome are among them: the
 * records show whether they were changed.
 */
export async function readUndone(context: Context, named: string) {
  const file = await findJournal(named, 'undo', context.flags.outputFile);
  // The positions of the lines with the changes of each record, in the order of the journal.
  const changesById = new Map<string, number[]>();
  const inProgress = new Map<number, number[]>();
  const onLine = (line: unknown, position: number) => {
    const { event, row, id, change, status } = Object(line);
    // Rows of an edited input have other numbers.
    if (event === 'input') inProgress.clear();
    else if (event === 'sending' && typeof id === 'string' && change) {
      const positions = changesById.get(id) ?? [];
      positions.push(position);
      changesById.set(id, positions);
      inProgress.set(row, positions);
    } else if (isNotWritten(event, status)) inProgress.get(row)?.pop();
    if (event !== 'sending') inProgress.delete(row);
  };
  const { header, holder } = await readJournal(file, onLine);
  const endpointId = endpointOf(header.command);
  const endpoint: Endpoint | undefined = endpointId && endpoints[endpointId];
  if (!endpointId || !endpoint?.readBy) throw notUndoable(file);
  checkService(file, header, context.session.identity().baseUrl);
  if (holder) {
    const problem = `the batch of ${file} is still running, in process ${holder.pid}`;
    throw usageError(problem, 'Nothing was sent. Wait until it ends, or stop it.');
  }
  return { journal: file, endpointId, id: header.id, rows: undoRows(file, changesById) };
}

/**
 * The rows of the batch that writes the replaced values back, as lines of JSON. A record that was changed
 * several times is one row, with the latest change first.
 */
function* undoRows(path: string, changesById: Map<string, number[]>): Generator<string> {
  for (const [id, positions] of changesById) {
    if (positions.length === 0) continue;
    const changes = positions.reverse().flatMap((position) => changeAt(path, position) ?? []);
    const row = { _id: id, undo: changes.map(changeJson) };
    yield `${printJson(new Map(Object.entries<Json>(row)))}\n`;
  }
}

function notUndoable(journal: string) {
  return usageError(
    `the batch of ${journal} cannot be undone: only asset put and user put keep the values that they replace`,
    [
      'Nothing was sent. The API offers no way to cancel orders.',
      runHint('To list what the batch wrote', words`mar batch report ${batchName(journal)}`),
    ],
  );
}

/** Refuses the journal of a batch at another service. */
function checkService(name: string, header: JournalHeader, { href }: URL): void {
  if (header.baseUrl === href) return;
  throw usageError(
    `${name} belongs to a batch at ${header.baseUrl}, but this command uses ${href}`,
    onCommandLine('Use the profile of the batch: --profile NAME'),
  );
}

/** Takes back the changes of a batch, the latest one first. */
export function undoRow(row: Row, record: JsonObject, target: Target): JsonObject {
  const steps = (row.read().get('undo') as JsonObject[]).map(readChange);
  return steps.reduce((current, { before, after }) => {
    const back = { base: after, mine: before };
    return mergeWith(target, back, current, 'since the batch wrote it').record;
  }, record);
}
