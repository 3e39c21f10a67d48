import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { journalsOf } from './journal/journalPaths.ts';
import { type ReplayedJournal, replay } from './journal/replay.ts';
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
  const beside = journalsOf(file).map(({ journal }) => journal);
  const found = await Promise.all(
    (beside.length > 0 ? beside : [file]).map((path) =>
      replay(path).catch((error: unknown) => {
        if (beside.length > 0 || !(error instanceof MarError)) throw error;
        throw usageError(`--batch: ${file} has no journal, and ${error.message}`, noJournalHint);
      }),
    ),
  );
  const journals = found.filter((one) => one !== undefined);
  if (journals.length > 0) return journals;
  throw usageError(`--batch: cannot find ${file} or its journal`, noJournalHint);
}

const noJournalHint =
  'Give the file of a batch that was started. If its journal is somewhere else, give the journal: --batch JOURNAL';

/** Refuses the journal of another command or of another service. */
export function checkJournal(
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
  const { href } = context.identity().baseUrl;
  const used = header.baseUrl;
  if (used === href) return;
  throw usageError(
    `${flag}: ${file} belongs to a batch at ${used}, but this command uses ${href}`,
    'Use the profile of the batch: --profile NAME',
  );
}
