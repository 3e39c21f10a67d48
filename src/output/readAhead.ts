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
