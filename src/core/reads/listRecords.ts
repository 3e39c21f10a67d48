import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { assumptionHint, Service } from '../api/service.ts';
import { type FetchPage, pages, SeenIds } from '../client/pages.ts';
import { defaultRange } from '../client/request.ts';
import type { Page } from '../client/response.ts';
import { type Hint, MarError, onCommandLine, orUndefined, usageError } from '../errors.ts';
import { type Input, type Invocation, type Option, option, stringOption } from '../input.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { Progress, pageParts } from '../output/progress.ts';
import type { Context } from '../session/context.ts';
import { learnUnit } from '../session/remember.ts';
import type { Session } from '../session/session.ts';
import { parseWholeNumber, plural } from '../values/numbers.ts';

export const extentOptions: readonly Option[] = [
  option('--limit <n>', 'at most n records', {
    excludes: ['--all'],
  }),
  option('--all', 'read the list to its end'),
  option('--page-size <n>', 'records per request, if a list takes several', {
    default: `the setting page-size or list.page, else ${new Service().value('list', 'page')} or what the service accepts`,
  }),
];

export interface Extent {
  from: number;
  /** The end of the list, if absent. */
  to?: number;
  pageSize: number;
  flag?: string;
  isOneRange?: true;
}

const firstTen: Extent = { ...defaultRange, pageSize: 10, isOneRange: true };

export function defaultExtent(input: Input): Extent {
  const pageSize = givenPageSize(input);
  return pageSize === undefined ? firstTen : { ...defaultRange, pageSize };
}

export const wholeList = ({ session }: Context, input: Input): Extent => ({
  from: 0,
  pageSize: givenPageSize(input) ?? pageSizeOf(session),
});

/** As configured, or as this service accepted it when it refused more. */
export function pageSizeOf(session: Session): number {
  const { value, basis } = session.service().fact('list', 'page') ?? {};
  const accepted = () => session.memory.entries('PageSize')[0]?.id;
  const size = (basis !== 'set' && orUndefined(accepted)) || value;
  return session.settings.pageSize ?? (Number(size) || defaultRange.to + 1);
}

/** Undefined if no flag requests a part. */
export function readExtent(context: Context, input: Input): Extent | undefined {
  const range = stringOption(input, 'range');
  const limit = stringOption(input, 'limit');
  const whole = wholeList(context, input);
  if (input.options.all) return { ...whole, flag: '--all' };
  if (limit !== undefined) {
    return { ...whole, to: parseWholeNumber(limit, '--limit') - 1, flag: `--limit ${limit}` };
  }
  if (range === undefined) return undefined;
  const { from, to } = readRange(range);
  const wanted = { from, to, flag: `--range ${range}` };
  if (to === undefined || givenPageSize(input)) return { ...whole, ...wanted };
  return { ...wanted, pageSize: to - from + 1, isOneRange: true };
}

function givenPageSize(input: Input): number | undefined {
  const size = stringOption(input, 'pageSize');
  return size === undefined ? undefined : parseWholeNumber(size, '--page-size');
}

function readRange(text: string): { from: number; to?: number } {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? [];
  if (from === undefined || Number(to) < Number(from)) {
    throw usageError(
      `--range takes the first and the last record, such as 0-9, not "${text}"`,
      'Records are counted from 0. For record 10 and all after it, use --range 10-',
      { flag: '--range', value: text },
    );
  }
  return { from: Number(from), to: to === undefined ? undefined : Number(to) };
}

/** Reports a list that was cut, unless the user asked for a part of it. */
export function noteCount(
  context: Context,
  { to, flag }: Extent,
  { count, total }: { count: number; total?: number },
): void {
  if (count === 0) {
    if (context.world.streams.stdout.isTerminal) context.reporter.reportAtEnd('No records found');
    return;
  }
  const isCut = total === undefined ? to !== undefined && count > to : count < total;
  if (!isCut || flag !== undefined) return;
  const text =
    total === undefined
      ? `Showing the first ${plural(count, 'record')}; there may be more. Use --limit N or --all to see them.`
      : `Showing ${count} of ${plural(total, 'record')}. Use --limit N or --all to see more.`;
  // A count of a part is a wrong count.
  if (context.flags.jq?.slurp) context.reporter.warn('list-cut', text);
  else context.reporter.reportAtEnd(text);
}

/** The hint for a list that failed before the record `next`, after others were printed. */
const resumeHint = ({ from, to }: Extent, next: number): Hint =>
  onCommandLine(
    `The list stopped after ${plural(next - from, 'record')}. For the rest, use --range ${next}-${to ?? ''}`,
  );

export const listOptions: readonly Option[] = [
  option(
    '--range <from-to>',
    'first and last record, counted from 0; 10- means all from record 10',
    { excludes: ['--limit', '--all'], default: '0-9 also with --jq; all if mar filters or counts' },
  ),
  ...extentOptions,
];

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
  const client = await context.session.client();
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
  let pageCount = 0;
  let count = 0;
  let total: number | undefined;
  const progress = new Progress(context.reporter.progressOptions, (elapsedMs) =>
    pageParts(elapsedMs, pageCount, count, total && Math.min(total, to + 1) - from),
  );
  try {
    for await (const page of guardedPages(context, extent, request)) {
      pageCount += 1;
      count += page.records.length;
      total = page.total;
      if (pageCount === 1) await learnUnit(context.session, page.records[0]?.value);
      yield page.records;
    }
  } catch (error) {
    const { world, flags } = context;
    const isResumable = error instanceof MarError && !world.signal.aborted && !flags.outputFile;
    const isPrinted = isResumable && count > 0 && world.streams.stdout.hasWritten;
    throw isPrinted ? error.withHint(resumeHint(extent, from + count)) : error;
  } finally {
    progress.end();
  }
  noteCount(context, extent, { count, total });
}

/** Pages with their totals. Warns if the list changes meanwhile, and fails if it repeats for ever. */
export async function* guardedPages(
  { world: { signal }, session, reporter }: Context,
  extent: Extent,
  request: FetchPage<ServiceRecord>,
): AsyncGenerator<Page<ServiceRecord>> {
  const { from: first, to, pageSize } = extent;
  const range = { from: first, to };
  // Without flags, a list is one request.
  const isOne = extent === firstTen;
  const statuses = (item: string) => session.service().parts('list', item);
  const onSmaller = async (size: number) => {
    const text = `The service refused a page of ${pageSize} records, so mar requests ${size} at a time`;
    reporter.reportOnce([text, assumptionHint({ key: 'list.page', value: '50' })]);
    await session.memory.add([{ kind: 'PageSize', id: String(size) }]);
  };
  const list = pages(request, { range, pageSize, signal, isOne, statuses, onSmaller });
  let repeated = 0;
  let stale = 0;
  const seen = new SeenIds();
  try {
    for await (const page of list) {
      const old = seen.countRepeated(page.records);
      repeated += old;
      stale = old === page.records.length ? stale + 1 : 0;
      if (stale === maxStalePages) {
        const message = `the service keeps sending the same records: nothing new in ${maxStalePages} pages`;
        throw new MarError('service', message);
      }
      yield page;
    }
  } finally {
    if (repeated > 0) {
      const records = plural(repeated, 'record');
      reporter.warn(
        'list-changed',
        `the list changed while mar was reading it: ${records} came twice, others may be missing. Run it again`,
      );
    }
  }
}
