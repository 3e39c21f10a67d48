/** What became of one item: its result or its error. */
export type Settled<Result> =
  | { result: Result; error?: undefined }
  | { result?: undefined; error: unknown };

/**
 * Runs an action on each item, `limit` of them side by side, and yields what became of them in the
 * order of the items. Items are taken only as there is room for them.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  limit: number,
  action: (item: Item) => Promise<Result>,
): AsyncGenerator<Settled<Result>> {
  const running: Promise<Settled<Result>>[] = [];
  for await (const item of items) {
    running.push(
      action(item).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      ),
    );
    if (running.length >= limit) yield (await running.shift()) as Settled<Result>;
  }
  for (const settled of running) yield await settled;
}
