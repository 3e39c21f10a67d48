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
import { keepHeapSmall } from '../../values/smallHeap.ts';
import { type Input, type Invocation, type Option, stringOption } from '../command.ts';

const defaultPageSize = 100;

export const extentOptions: readonly Option[] = [
  { flags: '--limit <n>', summary: 'the first n records' },
  { flags: '--all', summary: 'every record, page after page' },
  { flags: '--page-size <n>', summary: 'records a request', default: String(defaultPageSize) },
];

/** The requested part of a list. */
export interface Extent {
  from: number;
  /** The end of the list, if absent. */
  to?: number;
  pageSize: number;
  /** The flag that requested it, as given. */
  flag?: string;
  /** Nothing is printed before the end, so a part of the list is useless. */
  isNeededWhole?: boolean;
  /** Sent as one request, not in pages. */
  isOneRange: boolean;
}

const firstTen: Extent = { ...defaultRange, pageSize: 10, isOneRange: true };

function defaultExtent(input: Input): Extent {
  const pageSize = givenPageSize(input);
  return pageSize === undefined ? firstTen : { ...firstTen, pageSize, isOneRange: false };
}

/** For a command that reads the whole list without a flag. */
export const wholeList = (context: Context, input: Input): Extent => ({
  from: 0,
  pageSize: pageSizeOf(context, input),
  isOneRange: false,
});

/** Undefined if no flag requests a part. */
export function readExtent(context: Context, input: Input): Extent | undefined {
  const range = stringOption(input, 'range');
  const limit = stringOption(input, 'limit');
  const { all } = input.options;
  const requested = [range && '--range', limit && '--limit', all && '--all'].filter(Boolean);
  if (requested.length > 1) throw usageError(`${requested.join(' and ')} cannot be used together`);
  const pageSize = pageSizeOf(context, input);
  if (all) return { from: 0, pageSize, flag: '--all', isOneRange: false };
  if (limit !== undefined) {
    const to = count(limit, '--limit') - 1;
    return { from: 0, to, pageSize, flag: `--limit ${limit}`, isOneRange: false };
  }
  if (range === undefined) return undefined;
  const wanted = { ...readRange(range), flag: `--range ${range}` };
  if (wanted.to === undefined || givenPageSize(input))
    return { ...wanted, pageSize, isOneRange: false };
  return { ...wanted, pageSize: wanted.to - wanted.from + 1, isOneRange: true };
}

const pageSizeOf = ({ settings }: Context, input: Input): number =>
  givenPageSize(input) ?? settings.pageSize ?? defaultPageSize;

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

/** Notes that there are more records, or none at all. */
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

/** The hint for a list that failed before a record. */
function resumeHint({ flags }: Context, extent: Extent, next: number): string {
  const { from, flag, isNeededWhole = flags.jq?.slurp } = extent;
  const where = `the list broke off after record ${next - 1}`;
  if (isNeededWhole) {
    return `${where}, and nothing was printed: run it again, or on a part: --range ${from}-${next - 1}`;
  }
  const rest = restFlags(extent, next);
  return `${where}; for the rest, ${flag ? `put ${rest} in place of ${flag}` : `add ${rest}`}`;
}

function restFlags({ to, pageSize, flag }: Extent, from: number): string {
  if (to === undefined) return `--range ${from}-`;
  // --range alone would request the rest of a long --limit in one piece.
  const isLong = flag?.startsWith('--limit') && to - from >= pageSize;
  return `--range ${from}-${to}${isLong ? ` --page-size ${pageSize}` : ''}`;
}

export const listOptions: readonly Option[] = [
  {
    flags: '--range <from-to>',
    summary: 'which records, counted from 0; 10- is all from there',
    default: `${defaultRange.from}-${defaultRange.to}`,
  },
  ...extentOptions,
];

/** Prints records page by page. */
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

interface Tally {
  count: number;
  total?: number;
  repeated: number;
}

/** Like `listPages`, for requests that the caller makes. A failure says how to get the rest. */
export async function* readPages(
  context: Context,
  extent: Extent,
  request: FetchPage<ServiceRecord>,
): AsyncGenerator<ServiceRecord[]> {
  const tally: Tally = { count: 0, repeated: 0 };
  const seen = new SeenIds();
  let stale = 0;
  const progress = pageProgress(context.world);
  try {
    for await (const { records, total } of pagesOf(context, extent, request)) {
      const repeated = seen.countRepeated(records);
      tally.repeated += repeated;
      stale = repeated === records.length ? stale + 1 : 0;
      if (stale === maxStalePages) throw repeatedPages();
      tally.count += records.length;
      tally.total = total;
      progress.add(records.length, expectedCount(extent, total));
      yield records;
    }
  } catch (error) {
    noteRepeated(context, tally.repeated);
    throw tally.count > 0 && error instanceof MarError
      ? withResumeHint(error, context, extent, tally.count)
      : error;
  } finally {
    await progress.end();
  }
  noteRepeated(context, tally.repeated);
  noteCount(context, extent, tally);
}

function expectedCount({ from, to = Number.MAX_SAFE_INTEGER }: Extent, total: number | undefined) {
  return total === undefined ? undefined : Math.min(total, to + 1) - from;
}

async function* pagesOf(
  context: Context,
  extent: Extent,
  request: FetchPage<ServiceRecord>,
): AsyncGenerator<Page<ServiceRecord>> {
  const { signal } = context.world;
  if (extent === firstTen) return yield* firstPage(request, signal);
  const { from, to, pageSize } = extent;
  if (to === undefined || to - from >= pageSize) await keepHeapSmall(context.world.nodeVersion);
  const ahead = context.settings.concurrency ?? defaultConcurrency.pages;
  yield* pages(request, { range: { from, to }, pageSize, ahead, signal });
}

/** Without flags, a list is one request. */
async function* firstPage(
  request: FetchPage<ServiceRecord>,
  signal: AbortSignal,
): AsyncGenerator<Page<ServiceRecord>> {
  const { from, pageSize } = firstTen;
  const page = (await request({ from, to: from + pageSize - 1 }, signal))();
  if (page.records.length > 0) yield { ...page, records: page.records.slice(0, pageSize) };
}

function withResumeHint(
  error: MarError,
  context: Context,
  extent: Extent,
  count: number,
): MarError {
  const { kind, message, details } = error;
  if (kind === 'interrupted' || kind === 'terminated') return error;
  return new MarError(kind, message, {
    ...details,
    hint: [details.hint, resumeHint(context, extent, extent.from + count)]
      .filter(Boolean)
      .join('\n'),
    cause: error,
  });
}

function repeatedPages(): MarError {
  return new MarError(
    'service',
    `the service sends the same records over and over: nothing new in ${maxStalePages} pages`,
  );
}

function noteRepeated(context: Context, repeated: number): void {
  if (repeated === 0) return;
  const records = repeated === 1 ? '1 record' : `${repeated} records`;
  context.reportOnce(
    `warning: the list changed while it was read: ${records} came twice, others may be missing`,
  );
}
