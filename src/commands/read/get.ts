import { endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { isDifferentRecord } from '../../client/response.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import type { Shown } from '../../terminal/view.ts';
import { mapConcurrently } from '../../values/mapConcurrently.ts';
import type { Invocation } from '../command.ts';
import { idsOf } from './ids.ts';
import { remember } from './remember.ts';

export const defaultConcurrency = 6;

interface GetInvocation extends Invocation {
  /** Called after a record is printed. */
  onPrinted?(record: Shown): Promise<void>;
}

/**
 * Prints records by their ids: one id as a card, several as a list in the order given. If some ids
 * fail, the other records are printed before the failure is reported.
 */
export async function get(context: Context, invocation: GetInvocation): Promise<void> {
  const { view, input, onPrinted } = invocation;
  const endpoint = endpoints[invocation.endpoint];
  // Check all ids before the first request.
  for (const id of input.arguments) pathSegment(id);
  const client = await context.client();
  const read = async (id: string) => ({ id, record: await client.call(endpoint, { id }) });
  const printed = async ({ id, record }: { id: string; record: Shown }) => {
    if (!isDifferentRecord(record.value, id)) await onPrinted?.(record);
  };

  const [first, ...others] = input.arguments;
  if (first !== undefined && first !== '-' && others.length === 0) {
    const found = await read(first);
    await context.printer.record(found.record, view);
    await printed(found);
    return remember(context, endpoint.resource, [found]);
  }

  const concurrency = context.settings.concurrency ?? defaultConcurrency;
  const failures: MarError[] = [];
  const typed = new Set(input.arguments);
  const used: { id: string; record: Shown }[] = [];
  async function* found(): AsyncGenerator<Shown[]> {
    const ids = idsOf(input.arguments, context.streams);
    for await (const { result, error } of mapConcurrently(ids, concurrency, read)) {
      if (result) {
        // Standard input may hold thousands of ids, which nobody types again.
        if (typed.has(result.id)) used.push(result);
        yield [result.record];
        await printed(result);
      } else if (error instanceof MarError) failures.push(error);
      else throw error;
    }
  }
  await context.printer.list(found(), view);
  await remember(context, endpoint.resource, used);
  if (failures.length > 0) throw MarError.together(failures);
}
