import { MarError } from '../errors.ts';
import type { Range } from './request.ts';

export interface PagesInput {
  /** Where to begin and, unless it is open, to end. */
  range: { from: number; to?: number };
  pageSize: number;
}

/**
 * A list, page by page, as `ask` gets them. It ends at the end of the range, or with an empty page:
 * a short page is not yet the end, since a service may give fewer records than it was asked for, so
 * the next range begins where the answer stopped.
 */
export async function* pages<Item extends { text: string }>(
  ask: (range: Range) => Promise<Item[]>,
  { range, pageSize }: PagesInput,
): AsyncGenerator<Item[]> {
  const last = range.to ?? Number.MAX_SAFE_INTEGER;
  let from = range.from;
  let before = '';
  while (from <= last) {
    const asked: Range = { from, to: Math.min(from + pageSize - 1, last) };
    const answered = await ask(asked);
    // A service that does not know ranges sends all it has.
    const page = answered.slice(0, last - from + 1);
    if (page.length === 0) return;
    const texts = page.map(({ text }) => text).join();
    if (texts === before) throw repeated(asked);
    before = texts;
    yield page;
    from += page.length;
  }
}

function repeated({ from, to }: Range): MarError {
  return new MarError('service', `the service sent the same page again for ${from}-${to}`, {
    hint: `the list was printed up to record ${from - 1}; go on with --range ${from}-`,
  });
}
