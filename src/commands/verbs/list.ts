import { type Endpoint, type EndpointId, endpoints } from '../../api/endpoints.ts';
import { pages } from '../../client/pages.ts';
import { defaultRange, type Range } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { Shown, View } from '../../terminal/view.ts';
import { type Input, type Option, textOption } from '../command.ts';

const defaultPageSize = 100;

/** What a list of any kind takes; without one of them, how much of it comes is for its command. */
export const extentOptions: readonly Option[] = [
  { flags: '--limit <n>', summary: 'the first n records' },
  { flags: '--all', summary: 'every record, page after page' },
  { flags: '--page-size <n>', summary: `records a request (default: ${defaultPageSize})` },
];

export const listOptions: readonly Option[] = [
  {
    flags: '--range <from-to>',
    summary: `which records, counted from 0 (default: ${defaultRange.from}-${defaultRange.to})`,
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

/** The pages of a list, as far as was asked for. Whoever takes them to the end need not say more. */
export async function* listPages(
  context: Context,
  endpointId: EndpointId,
  input: Input,
): AsyncGenerator<Shown[]> {
  const endpoint: Endpoint = endpoints[endpointId];
  const extent = readExtent(context, input) ?? { range: defaultRange };
  const query = Object.fromEntries(
    (endpoint.query ?? []).map((name) => [name, textOption(input, name)]),
  );
  const client = await context.client();
  const ask = (range: Range): Promise<Shown[]> => client.page(endpoint, { query, range });
  async function* once(range: Range): AsyncGenerator<Shown[]> {
    const page = await ask(range);
    yield page.slice(0, range.to - range.from + 1);
  }
  const source =
    'range' in extent
      ? once(extent.range)
      : pages(ask, { range: { from: 0, to: extent.to }, pageSize: extent.pageSize });
  let count = 0;
  for await (const page of source) {
    count += page.length;
    yield page;
  }
  tellCount(context, extent, count);
}

export type Extent = { range: Range } | { to?: number; pageSize: number };

/** How much of a list was asked for, if that was said. */
export function readExtent({ settings }: Context, input: Input): Extent | undefined {
  const range = textOption(input, 'range');
  const limit = textOption(input, 'limit');
  const { all } = input.options;
  const asked = [range && '--range', limit && '--limit', all && '--all'].filter(Boolean);
  if (asked.length > 1) throw usageError(`${asked.join(' and ')} cannot be used together`);
  const size = textOption(input, 'pageSize');
  const usualSize = settings.pageSize ?? defaultPageSize;
  const pageSize = size === undefined ? usualSize : count(size, '--page-size');
  if (all) return { pageSize };
  if (limit !== undefined) return { to: count(limit, '--limit') - 1, pageSize };
  return range === undefined ? undefined : { range: readRange(range) };
}

function count(text: string, name: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number > 0) return number;
  throw usageError(`${name} takes a whole number from 1, not "${text}"`);
}

function readRange(text: string): Range {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) {
    throw usageError(`--range takes the first and the last record, such as 0-9, not "${text}"`);
  }
  return { from: Number(from), to: Number(to) };
}

/** A list that was cut says so, and a terminal is not left blank. */
export function tellCount(context: Context, extent: Extent, count: number): void {
  if (count === 0) {
    if (context.streams.stdout.isTerminal) context.note('nothing found');
    return;
  }
  if ('range' in extent) {
    const { from, to } = extent.range;
    const next = to + 1;
    if (count < next - from) return;
    context.note(
      `records ${from}-${to}; there may be more: --range ${next}-${next + to - from}, or --all`,
    );
  } else if (extent.to !== undefined && count > extent.to) {
    context.note(`the first ${count} records; there may be more: --limit ${count * 2}, or --all`);
  }
}
