import { MarError, onCommandLine } from '../errors.ts';
import { settle } from '../values/concurrency.ts';
import { defaultRange, type Range } from './request.ts';
import { type Page, recordIdOf, type UnreadPage } from './response.ts';

export interface PagesInput {
  range: { from: number; to?: number };
  pageSize: number;
  signal: AbortSignal;
  /** Ends after the first page, even if it is short. */
  isOne?: boolean;
  /** The statuses with which the service ends a list, or refuses a large page. */
  statuses(item: 'end' | 'too-large'): readonly string[];
  /** Called if the service refused the page size, and then sent a page of the documented size. */
  onSmaller?(pageSize: number): Promise<void>;
}

export type FetchPage<Item> = (range: Range, signal: AbortSignal) => Promise<UnreadPage<Item>>;

/**
 * A list ends at the end of the range, at the total if the service sends one, or with an empty page.
 * After a short page, the next range starts where it stopped: a service may limit its pages, or refuse
 * those of another size than the documented one. The next page is requested while one is in use.
 */
export async function* pages<Item>(
  fetchPage: FetchPage<Item>,
  { range, pageSize, signal, isOne, statuses, onSmaller }: PagesInput,
): AsyncGenerator<Page<Item>> {
  const last = range.to ?? Number.MAX_SAFE_INTEGER;
  const stop = new AbortController();
  const interrupt = () => stop.abort(signal.reason);
  signal.addEventListener('abort', interrupt);
  let from = range.from;
  let size = pageSize;
  const request = () => {
    const to = Math.min(from + size - 1, last);
    return settle(fetchPage({ from, to }, stop.signal));
  };
  let next = request();
  let previousBody: Buffer | undefined;
  let total: number | undefined;
  let isLonger = false;
  try {
    while (true) {
      signal.throwIfAborted();
      const isFirst = from === range.from;
      const requested = Math.min(size, last - from + 1);
      const { result: read, error } = await next;
      if (!read) {
        const status = error instanceof MarError && String(error.details.status);
        const expected = statuses(isFirst ? 'too-large' : 'end');
        if (!status || !expected.includes(status) || (isFirst && requested <= smallSize))
          throw error;
        // A range may be refused because only its end is behind the last record.
        const smaller = isFirst ? smallSize : 1;
        if (requested > smaller) {
          size = smaller;
          next = request();
          continue;
        }
      } else if (isFirst && size < pageSize) await onSmaller?.(size);
      const page = read?.() ?? emptyPage;
      // A service that ignores ranges sends the whole list.
      const records = page.records.slice(0, last - from + 1);
      const reported = page.total ?? total;
      // A total that is smaller than what has come is wrong.
      total = reported !== undefined && reported >= from + records.length ? reported : undefined;
      if (records.length === 0) {
        if (isOne || total === undefined || total <= from) return;
        throw new MarError(
          'service',
          `the list is incomplete: the service reports ${total} records, but sent only ${from}`,
        );
      }
      if (previousBody?.equals(page.body)) {
        // More than was requested, twice: the service ignores ranges, and sent the whole list.
        if (isLonger) return;
        const message = `the service sent the same page twice: the page at record ${from} equals the one before it`;
        const hint = `If the service ignores ranges, and that was the whole list, use --limit ${from - range.from}`;
        throw new MarError('service', message, { hint: onCommandLine(hint) });
      }
      isLonger = from === 0 && page.records.length > requested;
      from += records.length;
      previousBody = page.body;
      const isEnd = isOne || from > last || (total !== undefined && from >= total);
      if (!isEnd) next = request();
      yield { ...page, records, total };
      if (isEnd) return;
    }
  } finally {
    signal.removeEventListener('abort', interrupt);
    stop.abort();
  }
}

/** The default of the document, so no service refuses it. */
const smallSize = defaultRange.to - defaultRange.from + 1;

const emptyPage = { records: [], total: undefined, body: Buffer.alloc(0) };

const maxSeenIds = 10_000;

/**
 * Notices ids that come twice because a list moved while it was read. A record that is added in front
 * pushes the records just read into the next page, so they come back soon, and only the last ids are
 * remembered: a list of any length takes no more memory than that.
 */
export class SeenIds {
  readonly #ids = new Set<string>();

  countRepeated(records: readonly { value: unknown }[]): number {
    const ids = records.map(({ value }) => recordIdOf(value)).filter((id) => id !== undefined);
    const before = this.#ids.size;
    for (const id of ids) this.#ids.add(id);
    const repeated = before + ids.length - this.#ids.size;
    for (const id of this.#ids) {
      if (this.#ids.size <= maxSeenIds) break;
      this.#ids.delete(id);
    }
    return repeated;
  }
}
