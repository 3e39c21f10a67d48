import { BusFailure } from './failure.ts';

/** D-Bus values on the wire: little-endian, each at its alignment. Only the types we speak. */
export class Writer {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  align(size: number): this {
    while (this.#bytes.length % size !== 0) this.#bytes.push(0);
    return this;
  }

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  uint32(value: number): this {
    this.align(4);
    return this.#raw(littleEndian(value));
  }

  /** A string or an object path: they look the same. */
  string(value: string): this {
    const bytes = Buffer.from(value);
    if (bytes.includes(0)) throw new RangeError('a D-Bus string cannot hold a NUL');
    return this.uint32(bytes.length).#raw(bytes).byte(0);
  }

  signature(value: string): this {
    return this.byte(value.length).#raw(Buffer.from(value)).byte(0);
  }

  /** Elements that `write` puts down, each aligned to `alignment`. */
  array(alignment: number, write: () => void): this {
    this.uint32(0);
    const sizeAt = this.#bytes.length - 4;
    this.align(alignment);
    const start = this.#bytes.length;
    write();
    this.#bytes.splice(sizeAt, 4, ...littleEndian(this.#bytes.length - start));
    return this;
  }

  strings(values: readonly string[]): this {
    return this.array(4, () => {
      for (const value of values) this.string(value);
    });
  }

  dictionary(entries: Readonly<Record<string, string>>): this {
    return this.array(8, () => {
      for (const [key, value] of Object.entries(entries)) this.align(8).string(key).string(value);
    });
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }

  #raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
}

const littleEndian = (value: number) => [
  value & 0xff,
  (value >>> 8) & 0xff,
  (value >>> 16) & 0xff,
  value >>> 24,
];

/** Reads what `Writer` writes. What does not fit is a `BusFailure`, whatever the bytes. */
export class Reader {
  readonly #buffer: Buffer;
  #offset: number;

  constructor(buffer: Buffer, offset = 0) {
    this.#buffer = buffer;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  align(size: number): this {
    this.#offset = Math.ceil(this.#offset / size) * size;
    return this;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  uint32(): number {
    return this.align(4).#take(4).readUInt32LE();
  }

  boolean(): boolean {
    return this.uint32() !== 0;
  }

  string(): string {
    const text = this.#take(this.uint32()).toString();
    this.byte();
    return text;
  }

  signature(): string {
    const text = this.#take(this.byte()).toString();
    this.byte();
    return text;
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

  #take(size: number): Buffer {
    const end = this.#offset + size;
    if (end > this.#buffer.length) throw new BusFailure('broken', 'a message ends too early');
    const bytes = this.#buffer.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }
}
