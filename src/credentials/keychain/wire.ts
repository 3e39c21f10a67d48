import { BusFailure } from './failure.ts';

/** D-Bus values on the wire: little-endian, each at its alignment. Only the types we speak. */
export class Writer {
  #buffer = Buffer.alloc(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  align(size: number): this {
    this.#reserve(-this.#length & (size - 1));
    return this;
  }

  byte(value: number): this {
    const offset = this.#reserve(1);
    this.#buffer[offset] = value;
    return this;
  }

  uint32(value: number): this {
    const offset = this.align(4).#reserve(4);
    this.#buffer.writeUInt32LE(value, offset);
    return this;
  }

  /** A string or an object path: they look the same. */
  string(value: string): this {
    if (value.includes('\0')) throw new RangeError('a D-Bus string cannot hold a NUL');
    return this.uint32(Buffer.byteLength(value)).#text(value);
  }

  signature(value: string): this {
    return this.byte(value.length).#text(value);
  }

  /** Elements that `write` puts down, each aligned to `alignment`. */
  array(alignment: number, write: () => void): this {
    const sizeAt = this.uint32(0).#length - 4;
    const start = this.align(alignment).#length;
    write();
    this.#buffer.writeUInt32LE(this.#length - start, sizeAt);
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
    return this.#buffer.subarray(0, this.#length);
  }

  #text(value: string): this {
    const size = Buffer.byteLength(value);
    this.#buffer.write(value, this.#reserve(size + 1));
    return this;
  }

  /** Makes room for more bytes, all zero, and says where they start. */
  #reserve(size: number): number {
    const start = this.#length;
    this.#length += size;
    if (this.#length > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], this.#length * 2);
    }
    return start;
  }
}

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
