/** As many ids as one generation remembers, in a table that stays half empty, so that it is quick. */
const generation = 8192;
const slots = 2 * generation;

/**
 * Notices ids that come twice because a list moved while it was read. A record that was added in
 * front pushes those that were just read into the next page, so they come back soon: the last 8,192
 * ids at least, 16,384 at most, are remembered, and an id that comes back later is not noticed. What
 * is kept are their hashes, in two tables of fixed size: a list of any length takes no more memory
 * than that, and leaves no garbage behind.
 */
export class SeenIds {
  #recent = new Float64Array(slots);
  #older = new Float64Array(slots);
  #size = 0;

  /** How many of these records came before. Records without an id are never among them. */
  countAgain(records: readonly { value: unknown }[]): number {
    let again = 0;
    for (const { value } of records) {
      const id = idOf(value);
      if (id !== undefined && !this.#add(hash(id))) again += 1;
    }
    return again;
  }

  /** Whether it was not there yet. */
  #add(key: number): boolean {
    if (this.#older[slotOf(this.#older, key)] === key) return false;
    const slot = slotOf(this.#recent, key);
    if (this.#recent[slot] === key) return false;
    this.#recent[slot] = key;
    this.#size += 1;
    if (this.#size === generation) {
      [this.#recent, this.#older] = [this.#older, this.#recent];
      this.#recent.fill(0);
      this.#size = 0;
    }
    return true;
  }
}

/** Where a key stands, or would stand. */
function slotOf(table: Float64Array, key: number): number {
  let slot = key % slots;
  while (table[slot] !== 0 && table[slot] !== key) slot = (slot + 1) % slots;
  return slot;
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { _id: id } = value as { _id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** 53 bits, never 0: that two of a million ids are taken for one is not to be expected. */
function hash(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 0x100000000 * (high & 0x1fffff) + (low >>> 0) || 1;
}
