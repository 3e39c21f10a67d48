import type { Context } from '../../context.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { readTime } from '../../terminal/time.ts';
import type { Shown } from '../../terminal/view.ts';
import { type Input, textOption } from '../command.ts';
import { type Extent, readExtent, wholeList } from '../verbs/extent.ts';
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
export async function* downloadPages(
  context: Context,
  input: Input,
  asked = readExtent(context, input),
): AsyncGenerator<Shown[]> {
  const period = readPeriod(input, context.world.now());
  if (!period) {
    tellPassedOn(context, input);
    return yield* listPages(context, 'downloadList', input, asked);
  }
  const limit = Number(textOption(input, 'limit') ?? Number.POSITIVE_INFINITY);
  const count: Count = { seen: 0, found: 0, undated: 0 };
  const isWithin = within(period, context, count);
  const extent = lookedAt(context, input, asked);
  const sent = unfiltered(input, period);
  for await (const page of listPages(context, 'downloadList', sent, extent)) {
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

/** The same without what is done here. */
function unfiltered(input: Input, { flag }: Period): Input {
  if (!flag.startsWith('--created')) return input;
  return { ...input, options: { ...input.options, created: undefined } };
}

/** Where downloads of a period are looked for: a limit is of those that are found. */
function lookedAt(context: Context, input: Input, asked: Extent | undefined): Extent {
  if (asked && input.options.range !== undefined) return asked;
  const { flag, isNeededWhole } = asked ?? {};
  return { ...wholeList(context, input), flag, isNeededWhole };
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
  if (seen === 0) return;
  const more = isCut ? '; there may be more: raise --limit' : '';
  context.closingNote(`${found} of ${many(seen)} looked at: ${flag}${more}`);
  if (undated > 0) {
    context.closingNote(`${many(undated)} left out: when they were made cannot be read`);
  }
}
