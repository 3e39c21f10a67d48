import { MarError } from '../errors.ts';
import { type Settled, settle } from '../values/mapConcurrently.ts';
import type { Range } from './request.ts';
import type { Page, UnreadPage } from './response.ts';

export interface PagesInput {
  /** Where to begin and, unless it is open, to end. */
  range: { from: number; to?: number };
  pageSize: number;
  /** How many pages may be under way or waiting to be taken, beside the one that is worked on. */
  ahead: number;
  /** Ends all that is under way; its reason is what the list fails with. */
  signal: AbortSignal;
}

/** Of a service that gives less than it is asked for, so many pages in a row show its cap. */
const enoughAlike = 3;

export type FetchPage<Item> = (range: Range, signal: AbortSignal) => Promise<UnreadPage<Item>>;

/**
 * A list, page by page, as `ask` gets them: the next ones while the last is worked on. It ends at the
 * end of the range, at the total if the service tells one, or with an empty page. A short page is
 * not yet the end, since a service may give fewer records than it was asked for: the next range
 * begins where the answer stopped.
 */
export async function* pages<Item>(
  ask: FetchPage<Item>,
  { range, pageSize, ahead, signal }: PagesInput,
): AsyncGenerator<Page<Item>> {
  const last = range.to ?? Number.MAX_SAFE_INTEGER;
  const window = new Window(ask, { pageSize, last, signal });
  let from = range.from;
  let before: Buffer | undefined;
  let total: number | undefined;
  // How many records an answer brings: what was asked for, until the service shows that it gives less.
  let stride = pageSize;
  let alike = 0;
  try {
    while (from <= last) {
      const answered = await window.take(from).then(
        (read) => read(),
        (error: unknown) => {
          if (from > range.from && isPastTheEnd(error)) return nothing;
          throw error;
        },
      );
      // A service that does not know ranges sends all it has.
      const records = answered.records.slice(0, last - from + 1);
      total = trusted(answered.total ?? total, from + records.length);
      if (records.length === 0) {
        if (total !== undefined && total > from) throw cutShort(from, total);
        return;
      }
      if (before?.equals(answered.body)) throw repeated(from);
      from += records.length;
      before = answered.body;
      if (total !== undefined && from >= total) {
        yield { ...answered, records, total };
        return;
      }
      // Where the page after the next begins is a guess, and a good one only if pages are alike.
      alike = records.length === stride ? alike + 1 : 1;
      stride = records.length;
      const isSteady = stride === pageSize || alike >= enoughAlike;
      const end = Math.min(last, (total ?? Number.MAX_SAFE_INTEGER) - 1);
      window.fill({ from, end, stride, size: isSteady ? ahead : 1 });
      yield { ...answered, records, total };
    }
  } finally {
    window.drop();
  }
}

/** A service may refuse to send what comes after the last record in place of sending none. */
const isPastTheEnd = (error: unknown) => error instanceof MarError && error.details.status === 416;

const nothing = { records: [], total: undefined, body: Buffer.alloc(0) };

/** A total that is less than what was sent is none. */
const trusted = (total: number | undefined, sent: number) =>
  total !== undefined && total >= sent ? total : undefined;

interface Wanted<Item> {
  from: number;
  answer: Promise<Settled<UnreadPage<Item>>>;
}

/** The pages that were asked for and not taken yet, in the order of the list. */
class Window<Item> {
  readonly #ask: FetchPage<Item>;
  readonly #bounds: { pageSize: number; last: number; signal: AbortSignal };
  #wanted: Wanted<Item>[] = [];
  #stop = new AbortController();

  constructor(
    ask: FetchPage<Item>,
    bounds: { pageSize: number; last: number; signal: AbortSignal },
  ) {
    this.#ask = ask;
    this.#bounds = bounds;
    bounds.signal.addEventListener('abort', this.#interrupt);
  }

  /** The page that begins here. */
  async take(from: number): Promise<UnreadPage<Item>> {
    this.#bounds.signal.throwIfAborted();
    const { answer } = this.#wanted.shift() ?? this.#want(from);
    const { result, error } = await answer;
    if (result === undefined) throw error;
    return result;
  }

  /**
   * Asks for the pages that follow, up to `size` of them. If the next does not begin where it was
   * expected, nor do those behind it.
   */
  fill({ from, end, stride, size }: { from: number; end: number; stride: number; size: number }) {
    if (this.#wanted[0] && this.#wanted[0].from !== from) this.#forget();
    const behind = this.#wanted.at(-1);
    let next = behind ? behind.from + stride : from;
    while (this.#wanted.length < size && next <= end) {
      this.#wanted.push(this.#want(next));
      next += stride;
    }
  }

  /** Ends all that is under way, for good. */
  drop(): void {
    this.#bounds.signal.removeEventListener('abort', this.#interrupt);
    this.#forget();
  }

  #want(from: number): Wanted<Item> {
    const { pageSize, last } = this.#bounds;
    const range = { from, to: Math.min(from + pageSize - 1, last) };
    return { from, answer: settle(this.#ask(range, this.#stop.signal)) };
  }

  #forget(): void {
    if (this.#wanted.length === 0) return;
    this.#wanted = [];
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  readonly #interrupt = () => this.#stop.abort(this.#bounds.signal.reason);
}

function repeated(from: number): MarError {
  return new MarError(
    'service',
    `the service sent the same page again for the records from ${from}`,
  );
}

function cutShort(from: number, total: number): MarError {
  return new MarError(
    'service',
    `the service says that the list has ${total} records, and sent no more than ${from}`,
  );
}
