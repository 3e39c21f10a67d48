import { MarError } from '../errors.ts';
import { type Settled, settle } from '../values/concurrency.ts';
import type { Range } from './request.ts';
import type { Page, UnreadPage } from './response.ts';

export interface PagesInput {
  range: { from: number; to?: number };
  pageSize: number;
  /** How many pages may be requested ahead of the one in use. */
  ahead: number;
  signal: AbortSignal;
}

/** After this many short pages of equal length, that length is taken for the service's limit. */
const minEqualPages = 3;

export type FetchPage<Item> = (range: Range, signal: AbortSignal) => Promise<UnreadPage<Item>>;

/**
 * Yields a list page by page, and requests the next pages while one is in use. The list ends at the
 * end of the range, at the total if the service sends one, or with an empty page. A short page is not
 * the end, since a service may return fewer records than requested: the next range starts where the
 * page stopped.
 */
export async function* pages<Item>(
  fetchPage: FetchPage<Item>,
  { range, pageSize, ahead, signal }: PagesInput,
): AsyncGenerator<Page<Item>> {
  const last = range.to ?? Number.MAX_SAFE_INTEGER;
  const queue = new PageQueue(fetchPage, { pageSize, last, signal });
  let from = range.from;
  let previousBody: Buffer | undefined;
  let total: number | undefined;
  // Records per page: as requested, until the service returns fewer.
  let stride = pageSize;
  let equalPages = 0;
  try {
    while (from <= last) {
      const page = await queue.take(from).then(
        (read) => read(),
        (error: unknown) => {
          if (from > range.from && isPastTheEnd(error)) return emptyPage;
          throw error;
        },
      );
      // A service that ignores ranges sends the whole list.
      const records = page.records.slice(0, last - from + 1);
      total = plausibleTotal(page.total ?? total, from + records.length);
      if (records.length === 0) {
        if (total !== undefined && total > from) throw missingRecords(from, total);
        return;
      }
      if (previousBody?.equals(page.body)) throw repeatedPage(from);
      from += records.length;
      previousBody = page.body;
      if (total !== undefined && from >= total) {
        yield { ...page, records, total };
        return;
      }
      // The start of the page after the next is a guess, and a good one only if pages are equal.
      equalPages = records.length === stride ? equalPages + 1 : 1;
      stride = records.length;
      const isSteady = stride === pageSize || equalPages >= minEqualPages;
      const end = Math.min(last, (total ?? Number.MAX_SAFE_INTEGER) - 1);
      queue.fill({ from, end, stride, size: isSteady ? ahead : 1 });
      yield { ...page, records, total };
    }
  } finally {
    queue.close();
  }
}

/** A service may reject a range behind the last record instead of returning nothing. */
const isPastTheEnd = (error: unknown) => error instanceof MarError && error.details.status === 416;

const emptyPage = { records: [], total: undefined, body: Buffer.alloc(0) };

const plausibleTotal = (total: number | undefined, received: number) =>
  total !== undefined && total >= received ? total : undefined;

interface PendingPage<Item> {
  from: number;
  page: Promise<Settled<UnreadPage<Item>>>;
}

interface Bounds {
  pageSize: number;
  last: number;
  signal: AbortSignal;
}

class PageQueue<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #bounds: Bounds;
  #pending: PendingPage<Item>[] = [];
  #stop = new AbortController();

  constructor(fetchPage: FetchPage<Item>, bounds: Bounds) {
    this.#fetchPage = fetchPage;
    this.#bounds = bounds;
    bounds.signal.addEventListener('abort', this.#interrupt);
  }

  async take(from: number): Promise<UnreadPage<Item>> {
    this.#bounds.signal.throwIfAborted();
    const { page } = this.#pending.shift() ?? this.#request(from);
    const { result, error } = await page;
    if (result === undefined) throw error;
    return result;
  }

  /**
   * Requests the pages that follow, up to `size` of them. If the next page starts elsewhere than
   * expected, so do those behind it, and all are requested again.
   */
  fill({ from, end, stride, size }: { from: number; end: number; stride: number; size: number }) {
    if (this.#pending[0] && this.#pending[0].from !== from) this.#abandon();
    const behind = this.#pending.at(-1);
    let next = behind ? behind.from + stride : from;
    while (this.#pending.length < size && next <= end) {
      this.#pending.push(this.#request(next));
      next += stride;
    }
  }

  close(): void {
    this.#bounds.signal.removeEventListener('abort', this.#interrupt);
    this.#abandon();
  }

  #request(from: number): PendingPage<Item> {
    const { pageSize, last } = this.#bounds;
    const range = { from, to: Math.min(from + pageSize - 1, last) };
    return { from, page: settle(this.#fetchPage(range, this.#stop.signal)) };
  }

  #abandon(): void {
    if (this.#pending.length === 0) return;
    this.#pending = [];
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  readonly #interrupt = () => this.#stop.abort(this.#bounds.signal.reason);
}

function repeatedPage(from: number): MarError {
  return new MarError(
    'service',
    `the service sent the same page again for the records from ${from}`,
  );
}

function missingRecords(from: number, total: number): MarError {
  return new MarError(
    'service',
    `the service says that the list has ${total} records, and sent no more than ${from}`,
  );
}
