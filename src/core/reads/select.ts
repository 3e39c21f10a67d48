import { usageError } from '../errors.ts';
import { type Input, type Invocation, stringOption } from '../input.ts';
import { pathReader } from '../json/fields.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { columnReader } from '../output/columns.ts';
import { listResult, type Results } from '../output/result.ts';
import type { View } from '../output/viewType.ts';
import type { Context } from '../session/context.ts';
import { cellText } from '../values/cell.ts';
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

/** The requested part of a list: filtered page by page as it arrives, and sorted at the end. */
export async function* selectedPages(
  context: Context,
  { view, ...request }: Invocation,
  filter?: RecordFilter,
  extent = readExtent(context, request.input),
): AsyncGenerator<ServiceRecord[]> {
  const { input, endpoint } = request;
  const read = (own: Input, part?: Extent) =>
    filter
      ? matches(context, { endpoint, input: own }, filter, part)
      : listPages(context, { endpoint, input: own }, part);
  const field = stringOption(input, 'sort');
  if (field === undefined) return yield* read(input, extent);
  const whole = { ...wholeList(context, input), flag: extent?.flag };
  const records: ServiceRecord[] = [];
  // --limit limits what is printed, not what is sorted.
  for await (const page of read(without(input, 'limit'), whole)) {
    for (const record of page) records.push(record);
  }
  const sorted = context.world.interruptible(() => sortRecords(records, field, view));
  yield sorted.slice(0, limitOf(input));
}

/** `. Known languages: deu, fra`, or nothing. */
export function knownList(noun: string, values: readonly string[]): string {
  const known = [...new Set(values)].filter(Boolean).slice(0, 20);
  return known.length === 0 ? '' : `. Known ${noun}: ${known.join(', ')}`;
}

export const without = (input: Input, name: string): Input => ({
  ...input,
  options: { ...input.options, [name]: undefined },
});

const limitOf = (input: Input) => Number(stringOption(input, 'limit') ?? Number.POSITIVE_INFINITY);

async function* matches(
  context: Context,
  request: Pick<Invocation, 'endpoint' | 'input'>,
  filter: RecordFilter,
  extent?: Extent,
): AsyncGenerator<ServiceRecord[]> {
  const { input } = request;
  // --limit limits the matches, not the search.
  const limit = limitOf(input);
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

/** Numbers before text; records without the field come last, also in reverse. */
function sortRecords(
  records: readonly ServiceRecord[],
  given: string,
  { columns }: View,
): readonly ServiceRecord[] {
  const [, minus, field = ''] = /^(-?)(.*)$/s.exec(given) ?? [];
  const wanted = field.toLowerCase();
  const column = columns.find(
    ({ path, title }) => path === field || title.toLowerCase() === wanted,
  );
  const read = column ? columnReader(column) : pathReader(field);
  const keyed = records.map((record) => {
    const value = read(record.value);
    return { record, key: typeof value === 'number' ? value : cellText(value) || undefined };
  });
  if (records.length > 0 && keyed.every(({ key }) => key === undefined)) {
    const hint = `Common fields: ${columns.map(({ path }) => path).join(', ')}`;
    const facts = { flag: '--sort', value: given };
    throw usageError(`--sort: no record has the field "${field}"`, hint, facts);
  }
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order = (a: string | number, b: string | number) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
    return typeof a === 'number' ? -1 : 1;
  };
  const sign = minus ? -1 : 1;
  return keyed
    .sort(({ key: a }, { key: b }) => {
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined);
      return sign * order(a, b);
    })
    .map(({ record }) => record);
}
