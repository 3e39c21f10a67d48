import { idOf } from './response.ts';

const idsPerSet = 8192;

/**
 * Notices ids that come twice because a list moved while it was read. A record that is added in front
 * pushes the records just read into the next page, so they come back soon. So only the last 8,192 to
 * 16,384 ids are remembered, as hashes: a list of any length takes no more memory than that.
 */
export class SeenIds {
  #recent = new Set<number>();
  #older = new Set<number>();

  countRepeated(records: readonly { value: unknown }[]): number {
    let repeated = 0;
    for (const { value } of records) {
      const id = idOf(value);
      if (id !== undefined && !this.#add(hash(id))) repeated += 1;
    }
    return repeated;
  }

  /** False if the key was there already. */
  #add(key: number): boolean {
    if (this.#older.has(key) || this.#recent.has(key)) return false;
    this.#recent.add(key);
    if (this.#recent.size === idsPerSet) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    return true;
  }
}

/** 53 bits. With a million ids a collision is unlikely. */
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
  return 0x100000000 * (high & 0x1fffff) + (low >>> 0);
}
