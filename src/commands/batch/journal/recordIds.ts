import { hash } from 'node:crypto';

/** The ids of the records that a batch has created, as short hashes, because there may be many. */
export class RecordIds {
  readonly #hashes = new Set<number>();

  /** Returns false if the batch has the id already. */
  add(id: string): boolean {
    const { size } = this.#hashes;
    return this.#hashes.add(hash('sha256', id, 'buffer').readUIntBE(0, 6)).size > size;
  }
}
