import type { Context } from '../../context.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { readTime } from '../../terminal/time.ts';
import type { Shown } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';
import { readExtent } from '../verbs/extent.ts';
import { listPages } from '../verbs/list.ts';
import { type Period, readPeriod } from './period.ts';

/** How many downloads were looked at, and what became of them. */
interface Count {
  seen: number;
  found: number;
  /** Their time cannot be read. */
  undated: number;
}

/**
 * The downloads that were asked for. Those of a period are picked here, from all that there are, or
 * from those of --range: the service does not say what its own filter means.
 */
export async function* downloadPages(context: Context, input: Input): AsyncGenerator<Shown[]> {
  const period = readPeriod(input, context.world.now());
  if (!period) {
    tellPassedOn(context, input);
    return yield* listPages(context, 'downloadList', input);
  }
  const limit = limitOf(context, input);
  const count: Count = { seen: 0, found: 0, undated: 0 };
  const isWithin = within(period, context, count);
  for await (const page of listPages(context, 'downloadList', unfiltered(input, period))) {
    const found = page.filter(({ value }) => isWithin(value)).slice(0, limit - count.found);
    count.seen += page.length;
    count.found += found.length;
    if (found.length > 0) yield found;
    if (count.found >= limit) break;
  }
  tell(context, period, count, count.found >= limit);
}

/** What is nearly a range of days is more likely a slip than a word that the service knows. */
function tellPassedOn(context: Context, input: Input): void {
  const created = textOption(input, 'created');
  if (!created?.includes('..')) return;
  context.note(
    `--created ${created} goes to the service as it is: days are 2026-11-01..2026-11-14`,
  );
}

/** The same list without what is done here: whole, unless a part was named. */
function unfiltered(input: Input, { flag }: Period): Input {
  const { range, created } = input.options;
  const options = {
    ...input.options,
    created: flag.startsWith('--created') ? undefined : created,
    limit: undefined,
    all: range === undefined ? true : undefined,
  };
  return { ...input, options };
}

function limitOf(context: Context, input: Input): number {
  // All of it is read here, so that what does not go together is told before anything is sent.
  readExtent(context, input);
  return Number(textOption(input, 'limit') ?? Number.POSITIVE_INFINITY);
}

function within({ from, before }: Period, { settings }: Context, count: Count) {
  return (download: unknown): boolean => {
    const date = readTime(valueAt(download, 'created'), settings.timeUnit);
    if (!date) {
      count.undated += 1;
      return false;
    }
    return (from === undefined || date >= from) && (before === undefined || date < before);
  };
}

function tell(context: Context, { flag }: Period, count: Count, isCut: boolean): void {
  const { seen, found, undated } = count;
  const many = (number: number) => `${number} download${number === 1 ? '' : 's'}`;
  const more = isCut ? '; there may be more: raise --limit' : '';
  context.closingNote(`${found} of ${many(seen)} looked at: ${flag}${more}`);
  if (undated > 0) {
    context.closingNote(`${many(undated)} left out: when they were made cannot be read`);
  }
}
