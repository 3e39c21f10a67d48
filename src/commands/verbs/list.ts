import { type Endpoint, type EndpointId, endpoints } from '../../api/endpoints.ts';
import { defaultRange } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import type { Shown, View } from '../../terminal/view.ts';
import { type Input, type Option, textOption } from '../command.ts';
import { type Extent, extentOptions, readExtent, usualExtent } from './extent.ts';

export const listOptions: readonly Option[] = [
  {
    flags: '--range <from-to>',
    summary: 'which records, counted from 0; 10- is all from there',
    default: `${defaultRange.from}-${defaultRange.to}`,
  },
  ...extentOptions,
];

/** Lists records as their pages come. */
export async function list(
  context: Context,
  endpointId: EndpointId,
  view: View,
  input: Input,
): Promise<void> {
  await context.printer.list(listPages(context, endpointId, input), view);
}

/**
 * The pages of a list, as far as was asked for. Progress, and what is to be said about the list at
 * its end, is taken care of.
 */
export async function* listPages(
  context: Context,
  endpointId: EndpointId,
  input: Input,
  extent: Extent = readExtent(context, input) ?? usualExtent(input),
): AsyncGenerator<Shown[]> {
  const endpoint: Endpoint = endpoints[endpointId];
  const query = Object.fromEntries(
    (endpoint.query ?? []).map((name) => [name, textOption(input, name)]),
  );
  const [client, { readPages }] = await Promise.all([context.client(), import('./paging.ts')]);
  yield* readPages(context, extent, (range, signal) =>
    client.unreadPage(endpoint, { query, range, signal }),
  );
}
