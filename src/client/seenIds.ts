import { recordIdOf } from './response.ts';

const idsPerSet = 8192;

/**
 * Notices ids that come twice because a list moved while it was read. A record that is added in front
 * pushes the records just read into the next page, so they come back soon. So only the last 8,192 to
 * 16,384 ids are remembered: a list of any length takes no more memory than that.
 */
export class SeenIds {
  #recent = new Set<string>();
  #older = new Set<string>();

  countRepeated(records: readonly { value: unknown }[]): number {
    const ids = records.map(({ value }) => recordIdOf(value)).filter((id) => id !== undefined);
    return ids.filter((id) => !this.#add(id)).length;
  }

  /** False if the id was there already. */
  #add(id: string): boolean {
    if (this.#older.has(id) || this.#recent.has(id)) return false;
    this.#recent.add(id);
    if (this.#recent.size === idsPerSet) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    return true;
  }
}
