import { type Invocation, stringOption } from '../input.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { listResult, type Results } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import { groupDigits, plural } from '../values/numbers.ts';
import { type Extent, listPages, readExtent, wholeList } from './listRecords.ts';

/** A filter that mar applies itself, because the service has none or does not document its own. */
export interface RecordFilter {
  isMatch(value: unknown): boolean;
  /** The flags with their values, for messages: `--name trailer`. */
  flags: string;
  /** The singular: `file`. */
  noun: string;
  /** For a list without a match: the values that the records have. */
  knownValues?(): string;
}

export async function* list(
  context: Context,
  invocation: Invocation,
  filter?: RecordFilter,
): Results {
  yield listResult(selectedPages(context, invocation, filter), invocation.view);
}

/** The requested part of a list, filtered page by page as it arrives. */
export const selectedPages = (
  context: Context,
  { endpoint, input }: Pick<Invocation, 'endpoint' | 'input'>,
  filter?: RecordFilter,
  extent = readExtent(context, input),
): AsyncGenerator<ServiceRecord[]> =>
  filter
    ? matches(context, { endpoint, input }, filter, extent)
    : listPages(context, { endpoint, input }, extent);

/** `. Known languages: deu, fra`, or nothing. */
export function knownList(noun: string, values: readonly string[]): string {
  const known = [...new Set(values)].filter(Boolean).slice(0, 20);
  return known.length === 0 ? '' : `. Known ${noun}: ${known.join(', ')}`;
}

async function* matches(
  context: Context,
  request: Pick<Invocation, 'endpoint' | 'input'>,
  filter: RecordFilter,
  extent?: Extent,
): AsyncGenerator<ServiceRecord[]> {
  const { input } = request;
  // --limit limits the matches, not the search.
  const limit = Number(stringOption(input, 'limit') ?? Number.POSITIVE_INFINITY);
  const whole = { ...extent, ...wholeList(context, input), to: undefined };
  const searched = input.options.range === undefined ? whole : extent;
  const count = { seen: 0, found: 0 };
  for await (const page of listPages(context, request, searched)) {
    const found = page.filter(({ value }) => filter.isMatch(value)).slice(0, limit - count.found);
    count.seen += page.length;
    count.found += found.length;
    if (found.length > 0) yield found;
    if (count.found >= limit) break;
  }
  // The search ends at --limit, so the number of matches is not known.
  if (count.seen === 0 || count.found >= limit) return;
  const { noun, flags } = filter;
  const known = count.found === 0 ? (filter.knownValues?.() ?? '') : '';
  const some = `${groupDigits(count.found)} of ${plural(count.seen, noun)}`;
  context.reporter.reportAtEnd(`${some} match ${flags}${known}`);
}
