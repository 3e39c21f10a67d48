import { KeychainFailure } from './failure.ts';

/**
 * D-Bus values on the wire: little-endian, each at its alignment, and only the types that we speak.
 * What is written is text with a byte a character, which is how Node makes short messages fastest.
 */
export type Bytes = string;

export const uint32 = (value: number): Bytes =>
  String.fromCharCode(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);

/** A string or an object path: they look the same. */
export function string(value: string): Bytes {
  if (value.includes('\0')) throw new KeychainFailure('broken', 'a name or path holds a NUL');
  const bytes = Buffer.from(value).toString('latin1');
  return `${uint32(bytes.length)}${bytes}\0`;
}

export const signature = (value: string): Bytes => `${String.fromCharCode(value.length)}${value}\0`;

export const aligned = (bytes: Bytes, size: number): Bytes =>
  bytes.padEnd(Math.ceil(bytes.length / size) * size, '\0');

/** Values one after the other, each at its alignment. */
export const sequence = (values: readonly Bytes[], alignment: number): Bytes =>
  values.reduce((before, value) => aligned(before, alignment) + value, '');

export const strings = (...values: readonly string[]): Bytes => sequence(values.map(string), 4);

/** An array at the start of a body. */
export function array(values: readonly Bytes[], alignment: 4 | 8): Bytes {
  const content = sequence(values, alignment);
  return aligned(uint32(content.length), alignment) + content;
}

export const dictionary = (entries: Readonly<Record<string, string>>): Bytes =>
  array(
    Object.entries(entries).map((entry) => strings(...entry)),
    8,
  );

/** Reads values off a body. What does not fit is a `KeychainFailure`, whatever the bytes. */
export class Reader {
  readonly #buffer: Buffer;
  #offset = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  uint32(): number {
    this.#offset = Math.ceil(this.#offset / 4) * 4;
    return this.#take(4).readUInt32LE();
  }

  boolean(): boolean {
    return this.uint32() !== 0;
  }

  string(): string {
    return this.#text(this.uint32());
  }

  signature(): string {
    return this.#text(this.#take(1).readUInt8());
  }

  bytes(): Buffer {
    return this.#take(this.uint32());
  }

  strings(): string[] {
    const size = this.uint32();
    const end = this.#offset + size;
    const values: string[] = [];
    while (this.#offset < end) values.push(this.string());
    return values;
  }

  /** Text and the NUL that ends it. */
  #text(size: number): string {
    const text = this.#take(size).toString();
    this.#take(1);
    return text;
  }

  #take(size: number): Buffer {
    const start = this.#offset;
    this.#offset += size;
    if (this.#offset > this.#buffer.length) {
      throw new KeychainFailure('broken', 'a message ends too early');
    }
    return this.#buffer.subarray(start, this.#offset);
  }
}
