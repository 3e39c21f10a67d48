import type { Page } from '../../client/answer.ts';
import { type Ask, pages } from '../../client/pages.ts';
import { SeenIds } from '../../client/seenIds.ts';
import type { Context } from '../../context.ts';
import { MarError } from '../../errors.ts';
import { Progress } from '../../terminal/progress.ts';
import type { Shown } from '../../terminal/view.ts';
import { type Extent, firstTen, howToGoOn, tellCount } from './extent.ts';
import { keepHeapSmall } from './smallHeap.ts';

/** As many pages as are asked for ahead of the one that is printed. */
const usualAhead = 4;

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
  const ahead = context.settings.concurrency ?? usualAhead;
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
