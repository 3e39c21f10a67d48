import { keyBytes } from '../input/rowKey.ts';

/** The keys of an input's rows, in order. Rows count from 1. */
export class RowKeys {
  #bytes = Buffer.alloc(1024 * keyBytes);
  length = 0;

  add(key: Uint8Array): void {
    const start = this.length * keyBytes;
    if (start === this.#bytes.length) {
      const longer = Buffer.alloc(2 * start);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(key, start);
    this.length += 1;
  }

  get(row: number): Buffer {
    return this.#bytes.subarray((row - 1) * keyBytes, row * keyBytes);
  }

  has(row: number, key: Uint8Array): boolean {
    return this.get(row).equals(key);
  }

  /** In base64, in parts that make lines of a reasonable length. */
  *parts(): Generator<string> {
    for (let row = 0; row === 0 || row < this.length; row += keysInPart) {
      const end = Math.min(this.length, row + keysInPart);
      yield this.#bytes.toString('base64', row * keyBytes, end * keyBytes);
    }
  }

  /** Returns false for text that is not a part. */
  addPart(text: unknown): boolean {
    if (typeof text !== 'string') return false;
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length % keyBytes !== 0 || bytes.length > keysInPart * keyBytes) return false;
    for (let at = 0; at < bytes.length; at += keyBytes) this.add(bytes.subarray(at, at + keyBytes));
    return true;
  }
}

const keysInPart = 4096;

/** A number for each key, 0 by default. Takes a tenth of the memory of a Map of strings. */
export class KeyMap {
  readonly #keys = new RowKeys();
  #values = new Uint32Array(1024);
  /** Rows of `#keys`; 0 is a free place. At most half of them are taken. */
  #places = new Uint32Array(2048);

  get(key: Uint8Array): number {
    return this.#values[this.#places[this.#find(key)] as number] ?? 0;
  }

  set(key: Uint8Array, value: number): void {
    const place = this.#find(key);
    let row = this.#places[place] as number;
    if (row === 0) {
      this.#keys.add(key);
      row = this.#keys.length;
      this.#places[place] = row;
      if (2 * row >= this.#places.length) this.#grow();
    }
    this.#values[row] = value;
  }

  #find(key: Uint8Array): number {
    const mask = this.#places.length - 1;
    let place = startOf(key) & mask;
    for (;;) {
      const row = this.#places[place] as number;
      if (row === 0 || this.#keys.has(row, key)) return place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    const values = new Uint32Array(2 * this.#values.length);
    values.set(this.#values);
    this.#values = values;
    this.#places = new Uint32Array(2 * this.#places.length);
    for (let row = 1; row <= this.#keys.length; row += 1) {
      this.#places[this.#find(this.#keys.get(row))] = row;
    }
  }
}

/** Keys are hashes, so their first bytes are as good as a hash of them. */
export const startOf = (key: Uint8Array) =>
  (((key[0] as number) << 24) |
    ((key[1] as number) << 16) |
    ((key[2] as number) << 8) |
    (key[3] as number)) >>>
  0;
