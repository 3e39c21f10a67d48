import type { Socket } from 'node:net';
import type { BusAddress } from './address.ts';
import { KeychainFailure } from './failure.ts';
import { afterIntroduction, connectFirst, introduction } from './handshake.ts';
import {
  type Call,
  decodeMessage,
  encodeCall,
  type Message,
  messageSize,
  messageTypes,
} from './message.ts';
import { Reader, string } from './wire.ts';

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
