/** Writes cost the service more than reading single records. */
export const defaultConcurrency = { reads: 6, writes: 4 } as const;

export type Settled<Result> =
  | { result: Result; error?: undefined }
  | { result?: undefined; error: unknown };

/**
 * Runs an action on each item, at most `limit` at a time, and yields the outcomes in the order of the
 * items, each as soon as possible. An item is taken only when its action can start.
 */
export async function* mapConcurrently<Item, Result>(
  items: AsyncIterable<Item>,
  limit: number,
  action: (item: Item) => Promise<Result>,
): AsyncGenerator<Settled<Result>> {
  const source = items[Symbol.asyncIterator]();
  const running: Promise<Settled<Result>>[] = [];
  const take = () => {
    const item = source.next();
    // Avoids an unhandled rejection before the item is awaited, which still gets the error.
    item.catch(() => {});
    return item;
  };
  let next: Promise<IteratorResult<Item>> | undefined = take();
  while (next || running[0]) {
    // Waits for the oldest outcome, or for a new item if another action may start.
    const ready: ({ settled: Settled<Result> } | { item: IteratorResult<Item> })[] = [];
    const waits = [
      running[0]?.then((settled) => ready.push({ settled })),
      running.length < limit ? next?.then((item) => ready.push({ item })) : undefined,
    ];
    await Promise.race(waits.filter((wait) => wait !== undefined));
    const first = ready[0];
    if (first && 'settled' in first) {
      void running.shift();
      yield first.settled;
    } else if (first?.item.done) {
      next = undefined;
    } else if (first) {
      running.push(settle(action(first.item.value)));
      next = take();
    }
  }
}

export const settle = <Result>(work: Promise<Result>): Promise<Settled<Result>> =>
  work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );

/**
 * Reads pages until they have this many items. `all` has the items of the sample too. An error after the
 * first item is returned, and `all` throws it behind the sample.
 */
export async function readAhead<Item>(pages: AsyncGenerator<readonly Item[]>, count: number) {
  const sample: Item[] = [];
  let isWhole = false;
  let error: unknown;
  try {
    while (!isWhole && sample.length < count) {
      const { value = [], done = false } = await pages.next();
      for (const item of value) sample.push(item);
      isWhole = done;
    }
  } catch (reason) {
    if (sample.length === 0) throw reason;
    error = reason;
  }
  async function* all(): AsyncGenerator<readonly Item[]> {
    if (sample.length > 0) yield sample.splice(0);
    if (error) throw error;
    yield* pages;
  }
  return { sample, isWhole, error, all: all() };
}

/** Returns a function that does so many works at a time. The others wait in line, first come, first served. */
export function atMost(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next one takes its place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Makes a value on first use, and only once. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
