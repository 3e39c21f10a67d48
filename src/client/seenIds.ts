/** As many ids as one generation remembers: two of them take about a megabyte. */
const generation = 5000;

/**
 * Notices ids that come twice because a list moved while it was read. A record that was added in
 * front pushes those that were just read into the next page, so they come back soon: the last 5,000
 * to 10,000 ids are remembered, and a list of any length takes no more memory than that. An id that
 * comes back later than that is not noticed.
 */
export class SeenIds {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** How many of these records came before. Records without an id are never among them. */
  countAgain(records: readonly { value: unknown }[]): number {
    let again = 0;
    for (const { value } of records) {
      const id = idOf(value);
      if (id === undefined) continue;
      if (this.#recent.has(id) || this.#older.has(id)) again += 1;
      else this.#add(id);
    }
    return again;
  }

  #add(id: string): void {
    if (this.#recent.size >= generation) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(id);
  }
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { _id: id } = value as { _id?: unknown };
  return typeof id === 'string' ? id : undefined;
}
