import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import path from 'node:path';
import { orUndefined, systemCode } from '../../errors.ts';
import type { Environment } from '../../values/environment.ts';
import {
  BodyReader,
  type DbusMessage,
  decodeMessage,
  encodeCall,
  encodeString,
  type MethodCall,
  messageSize,
  messageTypes,
} from './dbusMessage.ts';
import { KeychainFailure } from './keychainFailure.ts';

export interface BusAddress {
  /** In D-Bus's own format, which the keychain library reads. */
  text: string;
  /** For `node:net`; the name of an abstract socket starts with a NUL. */
  socketPath: string;
}

/** The address of the session bus: of several, the first that is a local socket. */
export function sessionBusAddress(env: Environment): BusAddress {
  const given = env.DBUS_SESSION_BUS_ADDRESS;
  if (given) {
    const [address] = given.split(';').flatMap(parseAddress);
    if (address) return address;
    throw new KeychainFailure('absent', `DBUS_SESSION_BUS_ADDRESS has no local socket: ${given}`);
  }
  const folder = env.XDG_RUNTIME_DIR ?? '';
  if (path.isAbsolute(folder)) {
    const socketPath = path.join(folder, 'bus');
    return { text: `unix:path=${socketPath}`, socketPath };
  }
  const reason = 'neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set';
  throw new KeychainFailure('absent', reason);
}

/** Parses `unix:path=/run/user/1000/bus,guid=…`. Desktops use no other transports. */
function parseAddress(text: string): BusAddress[] {
  const [, key, value = ''] = /^unix:(?:.*?,)?(path|abstract)=([^,]+)/.exec(text) ?? [];
  const name = orUndefined(() => decodeURIComponent(value));
  if (key === undefined || name === undefined) return [];
  return [{ text, socketPath: (key === 'path' ? '' : '\u0000') + name }];
}

/**
 * The first bytes of a connection. They name no user, because the kernel tells the bus who connects;
 * this also works in a user namespace. Nothing is negotiated, so no reply has to be awaited.
 */
const handshake = '\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n';
const lineEnd = '\r\n';

/** Needs no deadline: connecting to a local socket succeeds or fails at once. */
export async function connectToBus(address: BusAddress) {
  const socket = connectSocket(address.socketPath);
  await once(socket, 'connect').catch((error: unknown) => {
    throw connectFailure(error, address.text);
  });
  return { address, socket };
}

function connectFailure(error: unknown, text: string): KeychainFailure {
  const code = systemCode(error);
  // The queue of connections is full: the bus listens, but accepts none.
  if (code === 'EAGAIN') return new KeychainFailure('silent-bus', text);
  if (code === 'EACCES' || code === 'EPERM') return new KeychainFailure('refused', text);
  return new KeychainFailure('absent', `no program is listening at ${text}`);
}

/** Undefined while the bus's reply to the handshake is incomplete. */
function afterHandshake(received: Buffer, { text }: BusAddress): Buffer | undefined {
  let start = 0;
  for (;;) {
    const end = received.indexOf(lineEnd, start);
    if (end < 0) return undefined;
    const line = received.toString('latin1', start, end);
    start = end + lineEnd.length;
    if (line.startsWith('OK ')) return received.subarray(start);
    if (/^(REJECTED|ERROR)/.test(line)) throw new KeychainFailure('refused', text);
    // An empty challenge, which the handshake has already answered.
    if (line !== 'DATA') throw new KeychainFailure('broken', 'its response is not D-Bus');
  }
}

const busObject = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

interface PendingMessage {
  matches(message: DbusMessage): boolean;
  resolve(message: DbusMessage): void;
  reject(failure: KeychainFailure): void;
}

/** No call is pending after `endsAt`, whatever the bus does. */
export class DbusConnection {
  readonly address: BusAddress;
  readonly #socket: Socket;
  readonly #deadline: NodeJS.Timeout;
  readonly #pending = new Set<PendingMessage>();
  #received: Buffer = Buffer.alloc(0);
  #serial = 0;
  #isHandshakeDone = false;
  #isGreeted = false;
  #failure: KeychainFailure | undefined;

  /** Does not wait for the handshake: its reply arrives with the first replies. */
  constructor({ socket, address }: Awaited<ReturnType<typeof connectToBus>>, endsAt: number) {
    this.address = address;
    this.#socket = socket;
    this.#deadline = setTimeout(() => {
      this.#fail(new KeychainFailure(this.#isGreeted ? 'silent' : 'silent-bus', address.text));
    }, endsAt - performance.now());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', () => this.#hangUp());
    socket.on('close', () => this.#hangUp());
    this.#write(handshake);
    this.call({ ...busObject, member: 'Hello' }, 's', () => {
      this.#isGreeted = true;
    }).catch((error) => this.#fail(error));
  }

  async call<T>(
    call: MethodCall,
    replySignature: string,
    read: (reply: BodyReader) => T,
  ): Promise<T> {
    const serial = this.send(call);
    const reply = await this.#expect((message) => message.replyTo === serial);
    const { type, signature } = reply;
    const body = new BodyReader(reply.body);
    if (type === messageTypes.error) {
      const text = String(signature).startsWith('s') ? body.string() : '';
      throw new KeychainFailure('error', text, String(reply.errorName));
    }
    if (signature !== replySignature) {
      throw new KeychainFailure('broken', `unexpected response to ${call.member}: ${signature}`);
    }
    return read(body);
  }

  send(call: MethodCall): number {
    this.#serial += 1;
    this.#write(encodeCall(call, this.#serial));
    return this.#serial;
  }

  /** Calls made together are written together, because writes and waits take most of the time. */
  #write(bytes: string | Buffer): void {
    this.#socket.cork();
    this.#socket.write(bytes);
    setImmediate(() => this.#socket.uncork());
  }

  async signal<T>(
    { path, interface: owner, member }: Omit<MethodCall, 'destination'>,
    read: (reply: BodyReader) => T,
  ): Promise<T> {
    this.send({
      ...busObject,
      member: 'AddMatch',
      signature: 's',
      body: encodeString(`type='signal',path='${path}',interface='${owner}',member='${member}'`),
    });
    const { signal } = messageTypes;
    const { body } = await this.#expect(
      (message) => message.type === signal && message.path === path && message.member === member,
    );
    return read(new BodyReader(body));
  }

  close(): void {
    clearTimeout(this.#deadline);
    this.#fail(new KeychainFailure('broken', 'the connection was closed'));
    // Writes what is still held back.
    this.#socket.end();
    this.#socket.destroy();
  }

  #expect(matches: PendingMessage['matches']): Promise<DbusMessage> {
    return new Promise((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      else this.#pending.add({ matches, resolve, reject });
    });
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      if (!this.#isHandshakeDone) {
        const rest = afterHandshake(this.#received, this.address);
        if (!rest) return;
        this.#received = rest;
        this.#isHandshakeDone = true;
      }
      for (;;) {
        const size = messageSize(this.#received);
        if (size === undefined || this.#received.length < size) return;
        this.#deliver(decodeMessage(this.#received.subarray(0, size)));
        this.#received = this.#received.subarray(size);
      }
    } catch (error) {
      const isKnown = error instanceof KeychainFailure;
      this.#fail(isKnown ? error : new KeychainFailure('broken', String(error)));
    }
  }

  #deliver(message: DbusMessage): void {
    for (const pending of this.#pending) {
      if (!pending.matches(message)) continue;
      this.#pending.delete(pending);
      pending.resolve(message);
    }
  }

  #fail(failure: KeychainFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#pending) reject(this.#failure);
    this.#pending.clear();
  }

  /** A bus rejects a user by closing the connection before its greeting. */
  #hangUp(): void {
    this.#fail(
      this.#isGreeted
        ? new KeychainFailure('broken', 'the session bus closed the connection')
        : new KeychainFailure('refused', this.address.text),
    );
  }
}
