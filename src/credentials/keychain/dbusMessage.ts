import { KeychainFailure } from './keychainFailure.ts';

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

/** A call of one of a service's methods. */
export interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** The types of what the body holds. */
  signature?: string;
  body?: Bytes;
}

/** What comes back, as far as we look at it. */
export interface Message {
  type: number;
  path: unknown;
  member: unknown;
  errorName: unknown;
  /** Which of our calls this answers. */
  replyTo: unknown;
  signature: unknown;
  body: Buffer;
}

export const messageTypes = { call: 1, answer: 2, error: 3, signal: 4 } as const;

/** The first bytes of a message: its byte order, type, flags and protocol. */
const littleEndian = 'l';
const protocol = 1;
const headFixedSize = 16;

/** The parts of a message's head, by their codes. */
const parts = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replyTo: 5,
  destination: 6,
  signature: 8,
} as const;

/** Far above anything that we ask for; what claims to be larger is not worth waiting for. */
const maxSize = 16 * 1024 * 1024;

export function encodeCall(call: Call, serial: number): Buffer {
  const { body = '' } = call;
  const head = [
    part('path', 'o', string(call.path)),
    part('interface', 's', string(call.interface)),
    part('member', 's', string(call.member)),
    part('destination', 's', string(call.destination)),
  ];
  if (call.signature) head.push(part('signature', 'g', signature(call.signature)));
  const content = sequence(head, 8);
  const start = `${littleEndian}${String.fromCharCode(messageTypes.call, 0, protocol)}`;
  const sizes = uint32(body.length) + uint32(serial) + uint32(content.length);
  return Buffer.from(aligned(start + sizes + content, 8) + body, 'latin1');
}

const part = (name: keyof typeof parts, type: string, value: Bytes): Bytes =>
  String.fromCharCode(parts[name]) + signature(type) + value;

/** The bytes of the first message, or undefined while too little of it is there to tell. */
export function messageSize(bytes: Buffer): number | undefined {
  if (bytes.length < headFixedSize) return undefined;
  if (bytes[0] !== littleEndian.charCodeAt(0) || bytes[3] !== protocol) {
    throw new KeychainFailure('broken', 'what its bus sent is not D-Bus');
  }
  const headSize = headFixedSize + Math.ceil(bytes.readUInt32LE(12) / 8) * 8;
  const size = headSize + bytes.readUInt32LE(4);
  if (size > maxSize)
    throw new KeychainFailure('broken', `a message claims to be ${size} bytes long`);
  return size;
}

/** Reads a message that is whole. Done without `Reader`, in one go: it is most of the work. */
export function decodeMessage(bytes: Buffer): Message {
  const end = headFixedSize + bytes.readUInt32LE(12);
  const head: unknown[] = [];
  let at = headFixedSize;
  while (at < end) {
    const code = bytes.readUInt8(at);
    // Each part says its type: one letter, with its length before it and a NUL behind it.
    const type = String.fromCharCode(bytes.readUInt8(at + 2));
    at += 4;
    if (type === 'u') {
      head[code] = bytes.readUInt32LE(at);
      at += 4;
    } else {
      const size = type === 'g' ? bytes.readUInt8(at) : bytes.readUInt32LE(at);
      at += type === 'g' ? 1 : 4;
      head[code] = bytes.subarray(at, at + size).toString();
      at += size + 1;
    }
    at = Math.ceil(at / 8) * 8;
  }
  return {
    type: bytes.readUInt8(1),
    path: head[parts.path],
    member: head[parts.member],
    errorName: head[parts.errorName],
    replyTo: head[parts.replyTo],
    signature: head[parts.signature] ?? '',
    body: bytes.subarray(at),
  };
}
