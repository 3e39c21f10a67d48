import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import { pathSegment } from '../../client/request.ts';
import { isOtherRecord } from '../../client/response.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { Streams } from '../../terminal/streams.ts';
import type { Shown, View } from '../../terminal/view.ts';
import { defaultConcurrency } from '../../values/defaults.ts';
import { inOrder } from '../../values/mapConcurrently.ts';
import type { Argument, Input } from '../command.ts';
import { remember } from './remember.ts';

export const idsArgument: Argument = {
  name: 'id',
  summary: 'one or more ids; - reads them from standard input, one a line',
  many: true,
  completes: 'id',
};

/**
 * Reads records by their ids. One id is shown as a card; several as a list, in the order given. An
 * id that fails does not keep the others back: they are printed, then the failure is told.
 */
export async function get(
  context: Context,
  endpointId: EndpointId,
  view: View,
  input: Input,
  /** Called for each requested record once it is printed. */
  onShown?: (record: Shown) => Promise<void>,
): Promise<void> {
  const endpoint = endpoints[endpointId];
  // All of them before the first is sent.
  for (const id of input.arguments) pathSegment(id);
  const client = await context.client();
  const read = (id: string): Promise<Shown> => client.call(endpoint, { id });

  const [first, ...others] = input.arguments;
  if (first !== undefined && first !== '-' && others.length === 0) {
    const record = await read(first);
    await context.printer.record(record, view);
    if (!isOtherRecord(record.value, first)) await onShown?.(record);
    return remember(context, endpoint.resource, [{ id: first, record }]);
  }

  const concurrency = context.settings.concurrency ?? defaultConcurrency.reads;
  const failures: MarError[] = [];
  const typed = new Set(input.arguments);
  const used: { id: string; record: Shown }[] = [];
  const readNamed = async (id: string) => ({ id, record: await read(id) });
  async function* found(): AsyncGenerator<Shown[]> {
    const ids = idsOf(input.arguments, context.streams);
    for await (const { result, error } of inOrder(ids, concurrency, readNamed)) {
      if (result) {
        // What comes from a file may be thousands, and nobody types those.
        if (typed.has(result.id)) used.push(result);
        yield [result.record];
        if (!isOtherRecord(result.record.value, result.id)) await onShown?.(result.record);
      } else if (error instanceof MarError) failures.push(error);
      else throw error;
    }
  }
  await context.printer.list(found(), view);
  await remember(context, endpoint.resource, used);
  if (failures.length > 0) throw MarError.together(failures);
}

/** The ids that were given; those from standard input as they come. */
export async function* idsOf(names: readonly string[], streams: Streams): AsyncGenerator<string> {
  if (names.filter((name) => name === '-').length > 1) {
    throw usageError('standard input (-) can be read once only');
  }
  for (const name of names) {
    if (name !== '-') {
      yield name;
      continue;
    }
    const { idLines } = await import('../verbs/idLines.ts');
    yield* idLines(streams.stdin);
  }
}
