import { KeychainFailure } from './keychainFailure.ts';

/** One character holds one byte: Node builds short messages faster from strings than from buffers. */
export type Bytes = string;

export const encodeUint32 = (value: number): Bytes =>
  String.fromCharCode(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24);

/** Also encodes object paths, which have the same format. */
export function encodeString(value: string): Bytes {
  const bytes = Buffer.from(value).toString('latin1');
  return `${encodeUint32(bytes.length)}${bytes}\0`;
}

export const encodeSignature = (value: string): Bytes =>
  `${String.fromCharCode(value.length)}${value}\0`;

export const padTo = (bytes: Bytes, size: number): Bytes =>
  bytes.padEnd(Math.ceil(bytes.length / size) * size, '\u0000');

export const encodeSequence = (values: readonly Bytes[], alignment: number): Bytes =>
  values.reduce((before, value) => padTo(before, alignment) + value, '');

export const encodeStrings = (...values: readonly string[]): Bytes =>
  encodeSequence(values.map(encodeString), 4);

/** Valid only at the start of a body, where the array itself is aligned. */
export function encodeArray(values: readonly Bytes[], alignment: 4 | 8): Bytes {
  const content = encodeSequence(values, alignment);
  return padTo(encodeUint32(content.length), alignment) + content;
}

export class BodyReader {
  readonly #buffer: Buffer;
  #offset = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  uint32(): number {
    this.#offset = Math.ceil(this.#offset / 4) * 4;
    return this.#take(4).readUInt32LE();
  }

  string(): string {
    return this.#terminated(this.uint32());
  }

  signature(): string {
    return this.#terminated(this.#take(1).readUInt8());
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

  #terminated(size: number): string {
    const text = this.#take(size).toString();
    this.#take(1);
    return text;
  }

  #take(size: number): Buffer {
    const start = this.#offset;
    this.#offset += size;
    return this.#buffer.subarray(start, this.#offset);
  }
}

export interface MethodCall {
  destination: string;
  path: string;
  interface: string;
  member: string;
  signature?: string;
  body?: Bytes;
}

export const messageTypes = { call: 1, reply: 2, error: 3, signal: 4 } as const;

const littleEndian = 'l';
const protocol = 1;
const fixedHeaderSize = 16;

const fieldCodes = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replyTo: 5,
  destination: 6,
  signature: 8,
} as const;

export function encodeCall(call: MethodCall, serial: number): Buffer {
  const { body = '' } = call;
  const header = [
    encodeField('path', 'o', encodeString(call.path)),
    encodeField('interface', 's', encodeString(call.interface)),
    encodeField('member', 's', encodeString(call.member)),
    encodeField('destination', 's', encodeString(call.destination)),
  ];
  if (call.signature) header.push(encodeField('signature', 'g', encodeSignature(call.signature)));
  const content = encodeSequence(header, 8);
  const start = `${littleEndian}${String.fromCharCode(messageTypes.call, 0, protocol)}`;
  const sizes = encodeUint32(body.length) + encodeUint32(serial) + encodeUint32(content.length);
  return Buffer.from(padTo(start + sizes + content, 8) + body, 'latin1');
}

const encodeField = (name: keyof typeof fieldCodes, type: string, value: Bytes): Bytes =>
  String.fromCharCode(fieldCodes[name]) + encodeSignature(type) + value;

/** The size of the first message, or undefined while its header is incomplete. */
export function messageSize(bytes: Buffer): number | undefined {
  if (bytes.length < fixedHeaderSize) return undefined;
  if (bytes[0] !== littleEndian.charCodeAt(0) || bytes[3] !== protocol) {
    throw new KeychainFailure('broken', 'its response is not D-Bus');
  }
  const headerSize = fixedHeaderSize + Math.ceil(bytes.readUInt32LE(12) / 8) * 8;
  return headerSize + bytes.readUInt32LE(4);
}

export type DbusMessage = ReturnType<typeof decodeMessage>;

/** Decodes a complete message. It does not use `BodyReader`, because it takes most of the time. */
export function decodeMessage(bytes: Buffer) {
  const end = fixedHeaderSize + bytes.readUInt32LE(12);
  const fields: unknown[] = [];
  let at = fixedHeaderSize;
  while (at < end) {
    const code = bytes.readUInt8(at);
    // Each field starts with its code and its type: a length, one letter, and a NUL.
    const type = String.fromCharCode(bytes.readUInt8(at + 2));
    at += 4;
    if (type === 'u') {
      fields[code] = bytes.readUInt32LE(at);
      at += 4;
    } else {
      const size = type === 'g' ? bytes.readUInt8(at) : bytes.readUInt32LE(at);
      at += type === 'g' ? 1 : 4;
      fields[code] = bytes.subarray(at, at + size).toString();
      at += size + 1;
    }
    at = Math.ceil(at / 8) * 8;
  }
  return {
    type: bytes.readUInt8(1),
    path: fields[fieldCodes.path],
    member: fields[fieldCodes.member],
    errorName: fields[fieldCodes.errorName],
    /** The serial number of the call that this replies to. */
    replyTo: fields[fieldCodes.replyTo],
    signature: fields[fieldCodes.signature] ?? '',
    body: bytes.subarray(at),
  };
}
