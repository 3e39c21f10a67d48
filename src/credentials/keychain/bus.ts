import { connect as connectSocket, type Socket } from 'node:net';
import path from 'node:path';
import type { Environment } from '../../config/folders.ts';
import { systemCode } from '../../errors.ts';
import {
  type Call,
  decodeMessage,
  encodeCall,
  type Message,
  messageSize,
  messageTypes,
  Reader,
  string,
} from './dbusMessage.ts';
import { KeychainFailure } from './keychainFailure.ts';

export interface BusAddress {
  /** In D-Bus's own form, for the library that reads it. */
  text: string;
  /** As `node:net` takes it; the name of an abstract socket begins with a NUL. */
  socketPath: string;
}

/** Where the session bus may be, in the order to try. Never empty. */
export function busAddresses(env: Environment): BusAddress[] {
  const given = env.DBUS_SESSION_BUS_ADDRESS;
  if (given) {
    const addresses = given.split(';').flatMap(parseAddress);
    if (addresses.length > 0) return addresses;
    throw new KeychainFailure('absent', `DBUS_SESSION_BUS_ADDRESS names no local socket: ${given}`);
  }
  if (env.XDG_RUNTIME_DIR) {
    const socketPath = path.join(env.XDG_RUNTIME_DIR, 'bus');
    return [{ text: `unix:path=${escapeValue(socketPath)}`, socketPath }];
  }
  throw new KeychainFailure(
    'absent',
    'neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set',
  );
}

/** `unix:path=/run/user/1000/bus,guid=…`. Other transports are nothing that a desktop uses. */
function parseAddress(text: string): BusAddress[] {
  if (!text.startsWith('unix:')) return [];
  const settings = new Map(
    text
      .slice('unix:'.length)
      .split(',')
      .map((pair) => {
        const equals = pair.indexOf('=');
        return [pair.slice(0, equals), pair.slice(equals + 1)];
      }),
  );
  const file = unescapeValue(settings.get('path'));
  if (file) return [{ text, socketPath: file }];
  const abstract = unescapeValue(settings.get('abstract'));
  return abstract ? [{ text, socketPath: `\0${abstract}` }] : [];
}

function unescapeValue(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function escapeValue(value: string): string {
  return Array.from(Buffer.from(value), (byte) => {
    const character = String.fromCharCode(byte);
    return /[-0-9A-Za-z_/.*]/.test(character)
      ? character
      : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

/**
 * What a connection starts with. The kernel tells the bus who we are, so we claim no name: that
 * also works in a user namespace. Nothing is negotiated, so there is no answer to wait for either.
 */
const introduction = '\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n';
const lineEnd = '\r\n';
const maxLine = 16 * 1024;

/** Connects to the first address at which somebody listens. */
async function connectFirst(addresses: readonly BusAddress[]) {
  let failure = new KeychainFailure('absent', 'there is no address to try');
  for (const address of addresses) {
    try {
      return { address, socket: await connect(address) };
    } catch (error) {
      if (!(error instanceof KeychainFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Needs no deadline: to connect to a local socket works or fails, and does not wait. */
function connect({ socketPath, text }: BusAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(socketPath);
    const fail = (error: Error) => reject(unreachable(error, text));
    socket.once('error', fail);
    socket.once('connect', () => resolve(socket.off('error', fail)));
  });
}

function unreachable(error: Error, text: string): KeychainFailure {
  const code = systemCode(error);
  // Its queue of connections is full: it listens, and takes none.
  if (code === 'EAGAIN') return new KeychainFailure('silent-bus', text);
  if (code === 'EACCES' || code === 'EPERM') return new KeychainFailure('refused', text);
  return new KeychainFailure('absent', `nothing listens at ${text} (${code ?? error.message})`);
}

/** What follows the bus's answer to the introduction, or undefined while it is not whole. */
function afterIntroduction(received: Buffer, { text }: BusAddress): Buffer | undefined {
  let start = 0;
  for (;;) {
    const end = received.indexOf(lineEnd, start);
    if (end < 0) break;
    const line = received.toString('latin1', start, end);
    start = end + lineEnd.length;
    if (line.startsWith('OK ')) return received.subarray(start);
    if (line.startsWith('REJECTED') || line.startsWith('ERROR'))
      throw new KeychainFailure('refused', text);
    // An empty challenge, which the introduction has answered.
    if (line !== 'DATA') throw new KeychainFailure('broken', 'what it sent is not D-Bus');
  }
  if (received.length > maxLine) throw new KeychainFailure('broken', 'what it sent is not D-Bus');
  return undefined;
}

/** The bus itself, as one that can be called. */
const busItself = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

interface Expectation {
  fits(message: Message): boolean;
  resolve(message: Message): void;
  reject(failure: KeychainFailure): void;
}

/**
 * A connection to a session bus. Whatever the bus does or fails to do, nothing asked of it is
 * still pending after `endsAt`; once closed, it keeps no process alive.
 */
export class Bus {
  readonly address: BusAddress;
  readonly #socket: Socket;
  readonly #deadline: NodeJS.Timeout;
  readonly #expected = new Set<Expectation>();
  #outgoing: Buffer[] = [Buffer.from(introduction)];
  #isFlushDue = false;
  #received: Buffer = Buffer.alloc(0);
  #serial = 0;
  #isIntroduced = false;
  #isGreeted = false;
  #failure: KeychainFailure | undefined;

  /** Connects, and waits for no more: what the bus has to say comes with the first answers. */
  static async open(addresses: readonly BusAddress[], endsAt: number): Promise<Bus> {
    const { socket, address } = await connectFirst(addresses);
    return new Bus(socket, address, endsAt);
  }

  private constructor(socket: Socket, address: BusAddress, endsAt: number) {
    this.address = address;
    this.#socket = socket;
    this.#deadline = setTimeout(() => this.#fail(this.#silence()), endsAt - performance.now());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', () => this.#fail(this.#hangUp()));
    socket.on('close', () => this.#fail(this.#hangUp()));
    this.call({ ...busItself, member: 'Hello' }, 's', () => {
      this.#isGreeted = true;
    }).catch((error) => this.#fail(error));
  }

  /** Calls a method, and reads its answer, which must be of the types that are named. */
  async call<T>(call: Call, answerSignature: string, read: (answer: Reader) => T): Promise<T> {
    const serial = this.send(call);
    const answer = await this.#expect((message) => message.replyTo === serial);
    if (answer.type === messageTypes.error) throw errorAnswer(answer);
    if (answer.signature !== answerSignature) {
      throw new KeychainFailure('broken', `${call.member} answered with types ${answer.signature}`);
    }
    return read(new Reader(answer.body));
  }

  /** Sends a call whose answer does not matter. */
  send(call: Call): number {
    this.#serial += 1;
    this.#outgoing.push(encodeCall(call, this.#serial));
    // What is asked together goes out together: to write and to wait is most of what this costs.
    if (!this.#isFlushDue) setImmediate(() => this.#flush());
    this.#isFlushDue = true;
    return this.#serial;
  }

  /** Waits for a signal of an object. Listens from the moment it is called. */
  async signal<T>(
    { path, interface: owner, member }: Omit<Call, 'destination'>,
    read: (answer: Reader) => T,
  ): Promise<T> {
    this.send({
      ...busItself,
      member: 'AddMatch',
      signature: 's',
      body: string(`type='signal',path='${path}',interface='${owner}',member='${member}'`),
    });
    const message = await this.#expect(
      (candidate) =>
        candidate.type === messageTypes.signal &&
        candidate.path === path &&
        candidate.member === member,
    );
    return read(new Reader(message.body));
  }

  close(): void {
    clearTimeout(this.#deadline);
    this.#fail(new KeychainFailure('broken', 'the connection was closed'));
    this.#flush();
    this.#socket.destroy();
  }

  #flush(): void {
    if (this.#outgoing.length > 0) this.#socket.write(Buffer.concat(this.#outgoing));
    this.#outgoing = [];
    this.#isFlushDue = false;
  }

  #expect(fits: Expectation['fits']): Promise<Message> {
    return new Promise((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      else this.#expected.add({ fits, resolve, reject });
    });
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      if (!this.#isIntroduced) {
        const rest = afterIntroduction(this.#received, this.address);
        if (!rest) return;
        this.#received = rest;
        this.#isIntroduced = true;
      }
      for (;;) {
        const size = messageSize(this.#received);
        if (size === undefined || this.#received.length < size) return;
        this.#deliver(decodeMessage(this.#received.subarray(0, size)));
        this.#received = this.#received.subarray(size);
      }
    } catch (error) {
      this.#fail(
        error instanceof KeychainFailure ? error : new KeychainFailure('broken', String(error)),
      );
    }
  }

  #deliver(message: Message): void {
    for (const expectation of this.#expected) {
      if (!expectation.fits(message)) continue;
      this.#expected.delete(expectation);
      expectation.resolve(message);
    }
  }

  #fail(failure: KeychainFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#expected) reject(this.#failure);
    this.#expected.clear();
  }

  /** Before its greeting, this is how a bus treats those who may not use it. */
  #hangUp(): KeychainFailure {
    return this.#isGreeted
      ? new KeychainFailure('broken', 'its bus closed the connection')
      : new KeychainFailure('refused', this.address.text);
  }

  #silence(): KeychainFailure {
    return new KeychainFailure(this.#isGreeted ? 'silent' : 'silent-bus', this.address.text);
  }
}

function errorAnswer({ errorName, signature, body }: Message): KeychainFailure {
  const text = String(signature).startsWith('s') ? new Reader(body).string() : '';
  return new KeychainFailure('error', text, String(errorName));
}
