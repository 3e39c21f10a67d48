import { KeychainFailure } from './failure.ts';
import { aligned, type Bytes, sequence, signature, string, uint32 } from './wire.ts';

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
