import { MarError, onCommandLine } from '../errors.ts';
import { type Settled, settle } from '../values/concurrency.ts';
import { defaultRange, type Range } from './request.ts';
import { type Page, recordIdOf, type UnreadPage } from './response.ts';

export interface PagesInput {
  range: { from: number; to?: number };
  pageSize: number;
  /** How many pages may be requested ahead of the one in use. */
  ahead: number;
  signal: AbortSignal;
  /** Ends after the first page, even if it is short. */
  isOne?: boolean;
  /** The statuses with which the service ends a list, or refuses a large page. */
  statuses(item: 'end' | 'too-large'): readonly string[];
  /** Called if the service refused the page size, and then sent a page of the documented size. */
  onSmaller?(pageSize: number): Promise<void>;
}

/** After this many short pages of equal length, that length is taken for the service's limit. */
const minEqualPages = 3;

export type FetchPage<Item> = (range: Range, signal: AbortSignal) => Promise<UnreadPage<Item>>;

/**
 * A list ends at the end of the range, at the total if the service sends one, or with an empty page.
 * After a short page, the next range starts where it stopped: a service may limit its pages, or refuse
 * those of another size than the documented one.
 */
export async function* pages<Item>(
  fetchPage: FetchPage<Item>,
  { range, pageSize, ahead, signal, isOne, statuses, onSmaller }: PagesInput,
): AsyncGenerator<Page<Item>> {
  const last = range.to ?? Number.MAX_SAFE_INTEGER;
  const queue = pageQueue(fetchPage, { pageSize, last, signal });
  let from = range.from;
  let previousBody: Buffer | undefined;
  let total: number | undefined;
  // Records per page: as requested, until the service returns fewer.
  let stride = pageSize;
  let equalPages = 0;
  let isLonger = false;
  try {
    while (from <= last) {
      const isFirst = from === range.from;
      const requested = Math.min(queue.size, last - from + 1);
      const { result, error } = await settle(queue.take(from).then((read) => read()));
      if (!result) {
        const status = error instanceof MarError && String(error.details.status);
        const expected = statuses(isFirst ? 'too-large' : 'end');
        if (!status || !expected.includes(status) || (isFirst && requested <= smallSize))
          throw error;
        // A range may be refused because only its end is behind the last record.
        const smaller = isFirst ? smallSize : 1;
        if (requested > smaller) {
          queue.abandon();
          stride = queue.size = smaller;
          continue;
        }
      } else if (isFirst && queue.size < pageSize) await onSmaller?.(queue.size);
      const page = result ?? emptyPage;
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
      if (isOne || (total !== undefined && from >= total)) {
        yield { ...page, records, total };
        return;
      }
      // Where later pages start is a guess, which is right only if pages have the same length.
      equalPages = records.length === stride ? equalPages + 1 : 1;
      stride = records.length;
      const isSteady = stride === queue.size || equalPages >= minEqualPages;
      const end = Math.min(last, (total ?? Number.MAX_SAFE_INTEGER) - 1);
      queue.fill({ from, end, stride, size: isSteady ? ahead : 1 });
      yield { ...page, records, total };
    }
  } finally {
    queue.close();
  }
}

/** The default of the document, so no service refuses it. */
const smallSize = defaultRange.to - defaultRange.from + 1;

const emptyPage = { records: [], total: undefined, body: Buffer.alloc(0) };

function pageQueue<Item>(
  fetchPage: FetchPage<Item>,
  { pageSize, last, signal }: Pick<PagesInput, 'pageSize' | 'signal'> & { last: number },
) {
  let pending: { from: number; page: Promise<Settled<UnreadPage<Item>>> }[] = [];
  let stop = new AbortController();
  const interrupt = () => stop.abort(signal.reason);
  signal.addEventListener('abort', interrupt);

  function request(from: number) {
    const range = { from, to: Math.min(from + queue.size - 1, last) };
    return { from, page: settle(fetchPage(range, stop.signal)) };
  }

  function abandon(): void {
    if (pending.length === 0) return;
    pending = [];
    stop.abort();
    stop = new AbortController();
  }

  const queue = {
    size: pageSize,
    abandon,
    async take(from: number): Promise<UnreadPage<Item>> {
      signal.throwIfAborted();
      const { page } = pending.shift() ?? request(from);
      const { result, error } = await page;
      if (result === undefined) throw error;
      return result;
    },
    /** Requests pages ahead. If `from` is not where the requested pages start, drops them first. */
    fill({ from, end, stride, size }: Record<'from' | 'end' | 'stride' | 'size', number>): void {
      if (pending[0] && pending[0].from !== from) abandon();
      const behind = pending.at(-1);
      let next = behind ? behind.from + stride : from;
      while (pending.length < size && next <= end) {
        pending.push(request(next));
        next += stride;
      }
    },
    close(): void {
      signal.removeEventListener('abort', interrupt);
      abandon();
    },
  };
  return queue;
}

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
