import { BusFailure } from './failure.ts';
import { Reader, Writer } from './wire.ts';

/** A call of one of a service's methods. */
export interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** The types of what `body` writes. */
  signature?: string;
  body?(writer: Writer): void;
}

/** What comes back, as far as we look at it. */
export interface Message {
  type: number;
  path?: string;
  member?: string;
  errorName?: string;
  /** Which of our calls this answers. */
  replyTo?: number;
  signature: string;
  body: Buffer;
}

export const messageTypes = { call: 1, answer: 2, error: 3, signal: 4 } as const;

const littleEndianMark = 'l'.charCodeAt(0);
const protocolVersion = 1;
/** Far above anything that we ask for; what claims to be larger is not worth waiting for. */
const maxSize = 16 * 1024 * 1024;

const fields = {
  path: { code: 1, type: 'o' },
  interface: { code: 2, type: 's' },
  member: { code: 3, type: 's' },
  errorName: { code: 4, type: 's' },
  replyTo: { code: 5, type: 'u' },
  destination: { code: 6, type: 's' },
  signature: { code: 8, type: 'g' },
} as const;

export function encodeCall(call: Call, serial: number): Buffer {
  const body = new Writer();
  call.body?.(body);
  const head = new Writer()
    .byte(littleEndianMark)
    .byte(messageTypes.call)
    .byte(0)
    .byte(protocolVersion)
    .uint32(body.length)
    .uint32(serial);
  head.array(8, () => {
    for (const name of ['path', 'interface', 'member', 'destination'] as const) {
      const { code, type } = fields[name];
      head.align(8).byte(code).signature(type).string(call[name]);
    }
    if (!call.signature) return;
    const { code, type } = fields.signature;
    head.align(8).byte(code).signature(type).signature(call.signature);
  });
  return Buffer.concat([head.align(8).toBuffer(), body.toBuffer()]);
}

/** The bytes of the first message, or undefined while too little of it is there to tell. */
export function messageSize(bytes: Buffer): number | undefined {
  if (bytes.length < 16) return undefined;
  if (bytes[0] !== littleEndianMark || bytes[3] !== protocolVersion) {
    throw new BusFailure('broken', 'what it sent is not D-Bus');
  }
  const headSize = 16 + Math.ceil(bytes.readUInt32LE(12) / 8) * 8;
  const size = headSize + bytes.readUInt32LE(4);
  if (size > maxSize) throw new BusFailure('broken', `a message claims to be ${size} bytes long`);
  return size;
}

/** Reads a message that is whole. */
export function decodeMessage(bytes: Buffer): Message {
  const reader = new Reader(bytes, 12);
  const message: Message = { type: bytes.readUInt8(1), signature: '', body: bytes };
  const end = 16 + reader.uint32();
  while (reader.offset < end) readField(reader.align(8), message);
  message.body = bytes.subarray(reader.align(8).offset);
  return message;
}

function readField(reader: Reader, message: Message): void {
  const code = reader.byte();
  const type = reader.signature();
  const value = readFieldValue(reader, type);
  for (const name of ['path', 'member', 'errorName', 'signature'] as const) {
    const field = fields[name];
    if (field.code === code && field.type === type) message[name] = String(value);
  }
  const { replyTo } = fields;
  if (code === replyTo.code && type === replyTo.type) message.replyTo = Number(value);
}

function readFieldValue(reader: Reader, type: string): string | number {
  if (type === 's' || type === 'o') return reader.string();
  if (type === 'g') return reader.signature();
  if (type === 'u') return reader.uint32();
  throw new BusFailure('broken', `a message's head holds a value of type ${type}`);
}
