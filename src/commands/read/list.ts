import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import { type FetchPage, pages } from '../../client/pages.ts';
import { defaultRange } from '../../client/request.ts';
import type { Page } from '../../client/response.ts';
import { SeenIds } from '../../client/seenIds.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import type { ServiceRecord } from '../../json/serviceRecord.ts';
import { pageProgress } from '../../terminal/progress.ts';
import { defaultConcurrency } from '../../values/concurrency.ts';
import { pluralNoun } from '../../values/numbers.ts';
import { keepHeapSmall } from '../../values/smallHeap.ts';
import { type Input, type Invocation, type Option, stringOption } from '../command.ts';

const defaultPageSize = 100;

export const extentOptions: readonly Option[] = [
  { flags: '--limit <n>', summary: 'the first n records' },
  { flags: '--all', summary: 'every record, page after page' },
  { flags: '--page-size <n>', summary: 'records a request', default: String(defaultPageSize) },
];

export interface Extent {
  from: number;
  /** The end of the list, if absent. */
  to?: number;
  pageSize: number;
  flag?: string;
  /** Nothing is printed before the end, so a part of the list is useless. */
  isNeededWhole?: boolean;
  /** Sent as one request, not in pages. */
  isOneRange?: true;
}

const firstTen: Extent = { ...defaultRange, pageSize: 10, isOneRange: true };

function defaultExtent(input: Input): Extent {
  const pageSize = givenPageSize(input);
  return pageSize === undefined ? firstTen : { ...defaultRange, pageSize };
}

export const wholeList = ({ settings }: Context, input: Input): Extent => ({
  from: 0,
  pageSize: givenPageSize(input) ?? settings.pageSize ?? defaultPageSize,
});

/** Undefined if no flag requests a part. */
export function readExtent(context: Context, input: Input): Extent | undefined {
  const range = stringOption(input, 'range');
  const limit = stringOption(input, 'limit');
  const { all } = input.options;
  const requested = [range && '--range', limit && '--limit', all && '--all'].filter(Boolean);
  if (requested.length > 1) throw usageError(`${requested.join(' and ')} cannot be used together`);
  const whole = wholeList(context, input);
  if (all) return { ...whole, flag: '--all' };
  if (limit !== undefined) {
    return { ...whole, to: count(limit, '--limit') - 1, flag: `--limit ${limit}` };
  }
  if (range === undefined) return undefined;
  const { from, to } = readRange(range);
  const wanted = { from, to, flag: `--range ${range}` };
  if (to === undefined || givenPageSize(input)) return { ...whole, ...wanted };
  return { ...wanted, pageSize: to - from + 1, isOneRange: true };
}

function givenPageSize(input: Input): number | undefined {
  const size = stringOption(input, 'pageSize');
  return size === undefined ? undefined : count(size, '--page-size');
}

function count(text: string, name: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number > 0) return number;
  throw usageError(`${name} takes a whole number from 1, not "${text}"`);
}

function readRange(text: string): { from: number; to?: number } {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) {
    throw usageError(
      `--range takes the first and the last record, such as 0-9, not "${text}"`,
      'without the last, 10- is everything from there',
    );
  }
  return { from: Number(from), to: to === undefined ? undefined : Number(to) };
}

export function noteCount(
  context: Context,
  { from, to, flag }: Extent,
  { count, total }: { count: number; total?: number },
): void {
  if (count === 0) {
    if (context.streams.stdout.isTerminal) context.reportAtEnd('nothing found');
    return;
  }
  const next = from + count;
  const isCut = total === undefined ? to !== undefined && next > to : next < total;
  if (!isCut) return;
  const more = total === undefined ? 'there may be more' : `there are ${total}`;
  const size = (to ?? next - 1) - from + 1;
  const isOne = count === 1;
  const [printed, following] = flag?.startsWith('--limit')
    ? [isOne ? 'the first record' : `the first ${count} records`, `--limit ${count * 2}`]
    : [
        isOne ? `record ${from}` : `records ${from}-${next - 1}`,
        `--range ${next}-${next + size - 1}`,
      ];
  context.reportAtEnd(`${printed}; ${more}: ${following}, or --all`);
}

/** The hint for a list that failed before the record `next`. */
function resumeHint({ flags }: Context, extent: Extent, next: number): string {
  const { from, to, pageSize, flag, isNeededWhole = flags.jq?.slurp } = extent;
  const where = `the list broke off after record ${next - 1}`;
  if (isNeededWhole) {
    return `${where}, and nothing was printed: run it again, or on a part: --range ${from}-${next - 1}`;
  }
  // --range alone would request the rest of a long --limit in one piece.
  const isLong = to !== undefined && flag?.startsWith('--limit') && to - next >= pageSize;
  const rest = `--range ${next}-${to ?? ''}${isLong ? ` --page-size ${pageSize}` : ''}`;
  return `${where}; for the rest, ${flag ? `put ${rest} in place of ${flag}` : `add ${rest}`}`;
}

export const listOptions: readonly Option[] = [
  {
    flags: '--range <from-to>',
    summary: 'which records, counted from 0; 10- is all from there',
    default: `${defaultRange.from}-${defaultRange.to}`,
  },
  ...extentOptions,
];

export async function list(context: Context, invocation: Invocation): Promise<void> {
  await context.printer.list(listPages(context, invocation), invocation.view);
}

/** The pages of the requested part of a list, with progress and closing notes. */
export async function* listPages(
  context: Context,
  { endpoint: endpointId, input }: Pick<Invocation, 'endpoint' | 'input'>,
  extent: Extent = readExtent(context, input) ?? defaultExtent(input),
): AsyncGenerator<ServiceRecord[]> {
  const endpoint: Endpoint = endpoints[endpointId];
  const query = Object.fromEntries(
    (endpoint.query ?? []).map((name) => [name, stringOption(input, name)]),
  );
  const client = await context.client();
  yield* readPages(context, extent, (range, signal) =>
    client.unreadPage(endpoint, { query, range, signal }),
  );
}

/** A list may shift by a few pages while it is read. After this many old pages, it repeats. */
const maxStalePages = 10;

/** Like `listPages`, for requests that the caller makes. A failure says how to get the rest. */
export async function* readPages(
  context: Context,
  extent: Extent,
  request: FetchPage<ServiceRecord>,
): AsyncGenerator<ServiceRecord[]> {
  const { from, to = Number.MAX_SAFE_INTEGER } = extent;
  let count = 0;
  let total: number | undefined;
  let repeated = 0;
  let stale = 0;
  const seen = new SeenIds();
  const progress = pageProgress(context.world);
  try {
    for await (const page of pagesOf(context, extent, request)) {
      const { records } = page;
      const old = seen.countRepeated(records);
      repeated += old;
      stale = old === records.length ? stale + 1 : 0;
      if (stale === maxStalePages) {
        throw new MarError(
          'service',
          `the service sends the same records over and over: nothing new in ${maxStalePages} pages`,
        );
      }
      count += records.length;
      total = page.total;
      progress.add(records.length, total && Math.min(total, to + 1) - from);
      yield records;
    }
  } catch (error) {
    noteRepeated(context, repeated);
    const isResumable = count > 0 && error instanceof MarError;
    throw isResumable ? withHint(error, resumeHint(context, extent, from + count)) : error;
  } finally {
    await progress.end();
  }
  noteRepeated(context, repeated);
  noteCount(context, extent, { count, total });
}

async function* pagesOf(
  context: Context,
  extent: Extent,
  request: FetchPage<ServiceRecord>,
): AsyncGenerator<Page<ServiceRecord>> {
  const { signal } = context.world;
  const { from, to, pageSize } = extent;
  if (extent === firstTen) {
    // Without flags, a list is one request.
    const page = (await request({ from, to: from + pageSize - 1 }, signal))();
    if (page.records.length > 0) yield { ...page, records: page.records.slice(0, pageSize) };
    return;
  }
  if (to === undefined || to - from >= pageSize) await keepHeapSmall(context.world.nodeVersion);
  const ahead = context.settings.concurrency ?? defaultConcurrency.pages;
  yield* pages(request, { range: { from, to }, pageSize, ahead, signal });
}

function withHint(error: MarError, more: string): MarError {
  const { kind, message, details } = error;
  if (kind === 'interrupted' || kind === 'terminated') return error;
  const hint = [details.hint, more].filter(Boolean).join('\n');
  return new MarError(kind, message, { ...details, hint, cause: error });
}

function noteRepeated(context: Context, repeated: number): void {
  if (repeated === 0) return;
  const records = `${repeated} ${pluralNoun(repeated, 'record')}`;
  context.reportOnce(
    `warning: the list changed while it was read: ${records} came twice, others may be missing`,
  );
}
