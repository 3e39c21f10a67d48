import type { EndpointId } from '../api/endpoints.ts';
import { usageError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { findJournals } from './journal/findJournals.ts';
import { checkService, commandOf } from './journal/format.ts';
import { replayExisting } from './journal/replay.ts';

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
  for (const path of await findJournals(file, context.flags.outputFile)) {
    const { header, createdIds: created } = await replayExisting(path);
    if (header.command !== commandOf(endpointId)) {
      throw usageError(`--batch: ${path} belongs to a batch that creates other records`);
    }
    checkService(`--batch: ${path}`, header, context.session.identity().baseUrl);
    for (const id of created) ids.push(id);
  }
  return ids;
}
