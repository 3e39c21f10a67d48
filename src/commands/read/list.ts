import { type Endpoint, type EndpointId, endpoints } from '../../api/endpoints.ts';
import { type Ask, pages } from '../../client/pages.ts';
import { defaultRange } from '../../client/request.ts';
import type { Page } from '../../client/response.ts';
import { SeenIds } from '../../client/seenIds.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { Progress } from '../../terminal/progress.ts';
import type { Shown, View } from '../../terminal/view.ts';
import { defaultConcurrency } from '../../values/defaults.ts';
import { keepHeapSmall } from '../../values/smallHeap.ts';
import { type Input, type Option, textOption } from '../command.ts';

const defaultPageSize = 100;

/** What a list of any kind takes; without one of them, how much of it comes is for its command. */
export const extentOptions: readonly Option[] = [
  { flags: '--limit <n>', summary: 'the first n records' },
  { flags: '--all', summary: 'every record, page after page' },
  { flags: '--page-size <n>', summary: 'records a request', default: String(defaultPageSize) },
];

/** How much of a list is wanted. */
export interface Extent {
  from: number;
  /** Without it, to the end of the list. */
  to?: number;
  pageSize: number;
  /** The flag that said so, as it was given; none where the command itself wants so much. */
  flag?: string;
  /** Nothing is printed before its end, so that a part of it brings nothing. */
  isNeededWhole?: boolean;
  /** One range as it is: no pages were asked for. */
  isOneRange: boolean;
}

/** What a list shows unless it is told otherwise. */
const firstTen: Extent = { ...defaultRange, pageSize: 10, isOneRange: true };

/** The same, in pages if their size was given. */
function usualExtent(input: Input): Extent {
  const pageSize = givenPageSize(input);
  return pageSize === undefined ? firstTen : { ...firstTen, pageSize, isOneRange: false };
}

/** All of a list, for a command that needs it without being told. */
export const wholeList = (context: Context, input: Input): Extent => ({
  from: 0,
  pageSize: pageSizeOf(context, input),
  isOneRange: false,
});

/** How much of a list was asked for, if that was said. */
export function readExtent(context: Context, input: Input): Extent | undefined {
  const range = textOption(input, 'range');
  const limit = textOption(input, 'limit');
  const { all } = input.options;
  const asked = [range && '--range', limit && '--limit', all && '--all'].filter(Boolean);
  if (asked.length > 1) throw usageError(`${asked.join(' and ')} cannot be used together`);
  const pageSize = pageSizeOf(context, input);
  if (all) return { from: 0, pageSize, flag: '--all', isOneRange: false };
  if (limit !== undefined) {
    const to = count(limit, '--limit') - 1;
    return { from: 0, to, pageSize, flag: `--limit ${limit}`, isOneRange: false };
  }
  if (range === undefined) return undefined;
  const wanted = { ...readRange(range), flag: `--range ${range}` };
  // A range is sent as it was given, unless pages were asked for, or it has no end.
  if (wanted.to === undefined || givenPageSize(input))
    return { ...wanted, pageSize, isOneRange: false };
  return { ...wanted, pageSize: wanted.to - wanted.from + 1, isOneRange: true };
}

const pageSizeOf = ({ settings }: Context, input: Input): number =>
  givenPageSize(input) ?? settings.pageSize ?? defaultPageSize;

function givenPageSize(input: Input): number | undefined {
  const size = textOption(input, 'pageSize');
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

/** A list that was cut says so, and a terminal is not left blank. */
export function tellCount(
  context: Context,
  { from, to, flag }: Extent,
  { count, total }: { count: number; total?: number },
): void {
  if (count === 0) {
    if (context.streams.stdout.isTerminal) context.closingNote('nothing found');
    return;
  }
  const next = from + count;
  const isCut = total === undefined ? to !== undefined && next > to : next < total;
  if (!isCut) return;
  const more = total === undefined ? 'there may be more' : `there are ${total}`;
  const size = (to ?? next - 1) - from + 1;
  const isOne = count === 1;
  const [shown, onwards] = flag?.startsWith('--limit')
    ? [isOne ? 'the first record' : `the first ${count} records`, `--limit ${count * 2}`]
    : [
        isOne ? `record ${from}` : `records ${from}-${next - 1}`,
        `--range ${next}-${next + size - 1}`,
      ];
  context.closingNote(`${shown}; ${more}: ${onwards}, or --all`);
}

/** What to do about a list that broke off before a record. */
function howToGoOn({ flags }: Context, extent: Extent, next: number): string {
  const { from, flag, isNeededWhole = flags.jq?.slurp } = extent;
  const where = `the list broke off after record ${next - 1}`;
  if (isNeededWhole) {
    return `${where}, and nothing was printed: run it again, or on a part: --range ${from}-${next - 1}`;
  }
  const rest = restOf(extent, next);
  return `${where}; for the rest, ${flag ? `put ${rest} in place of ${flag}` : `add ${rest}`}`;
}

function restOf({ to, pageSize, flag }: Extent, from: number): string {
  if (to === undefined) return `--range ${from}-`;
  // A limit was read page by page; its rest is not to be asked for in one piece.
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
  const client = await context.client();
  yield* readPages(context, extent, (range, signal) =>
    client.unreadPage(endpoint, { query, range, signal }),
  );
}

/** A list may move by a few pages while it is read; one that brings nothing new goes round. */
const mostStalePages = 10;

/** How far a list came. */
interface Tally {
  count: number;
  total?: number;
  /** Records that came twice. */
  again: number;
}

/**
 * The pages of a list, with progress while they come. At the end it says what is to be said about
 * them; a failure says how far the list came, and how to go on.
 */
export async function* readPages(
  context: Context,
  extent: Extent,
  ask: Ask<Shown>,
): AsyncGenerator<Shown[]> {
  const tally: Tally = { count: 0, again: 0 };
  const seen = new SeenIds();
  let stale = 0;
  const progress = new Progress(context.world);
  try {
    for await (const { records, total } of source(context, extent, ask)) {
      const again = seen.countAgain(records);
      tally.again += again;
      stale = again === records.length ? stale + 1 : 0;
      if (stale === mostStalePages) throw goesRound();
      tally.count += records.length;
      tally.total = total;
      progress.add(records.length, wantedOf(extent, total));
      yield records;
    }
  } catch (error) {
    tellMoved(context, tally.again);
    throw tally.count > 0 && error instanceof MarError
      ? brokenOff(error, context, extent, tally.count)
      : error;
  } finally {
    await progress.end();
  }
  tellMoved(context, tally.again);
  tellCount(context, extent, tally);
}

/** How many records are to come in all, where that is known. */
function wantedOf({ from, to = Number.MAX_SAFE_INTEGER }: Extent, total: number | undefined) {
  return total === undefined ? undefined : Math.min(total, to + 1) - from;
}

async function* source(
  context: Context,
  extent: Extent,
  ask: Ask<Shown>,
): AsyncGenerator<Page<Shown>> {
  const { signal } = context.world;
  if (extent === firstTen) return yield* firstPage(ask, signal);
  const { from, to, pageSize } = extent;
  if (to === undefined || to - from >= pageSize) await keepHeapSmall(context.world.nodeVersion);
  const ahead = context.settings.concurrency ?? defaultConcurrency.pages;
  yield* pages(ask, { range: { from, to }, pageSize, ahead, signal });
}

/** Who asks for nothing in particular gets what one request brings. */
async function* firstPage(ask: Ask<Shown>, signal: AbortSignal): AsyncGenerator<Page<Shown>> {
  const { from, pageSize } = firstTen;
  const page = (await ask({ from, to: from + pageSize - 1 }, signal))();
  if (page.records.length > 0) yield { ...page, records: page.records.slice(0, pageSize) };
}

function brokenOff(error: MarError, context: Context, extent: Extent, count: number): MarError {
  const { kind, message, details } = error;
  if (kind === 'interrupted' || kind === 'terminated') return error;
  return new MarError(kind, message, {
    ...details,
    hint: [details.hint, howToGoOn(context, extent, extent.from + count)]
      .filter(Boolean)
      .join('\n'),
    cause: error,
  });
}

function goesRound(): MarError {
  return new MarError(
    'service',
    `the service sends the same records over and over: nothing new in ${mostStalePages} pages`,
  );
}

function tellMoved(context: Context, again: number): void {
  if (again === 0) return;
  const records = again === 1 ? '1 record' : `${again} records`;
  context.note(
    `warning: the list changed while it was read: ${records} came twice, others may be missing`,
  );
}
