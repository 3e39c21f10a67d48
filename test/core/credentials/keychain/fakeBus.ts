import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  BodyReader,
  type Bytes,
  type DbusMessage,
  decodeMessage,
  encodeArray,
  encodeSequence,
  encodeSignature,
  encodeString,
  encodeUint32,
  messageSize,
  padTo,
} from '../../../../src/core/credentials/keychain/dbusMessage.ts';
import { MarError } from '../../../../src/core/errors.ts';
import { hintLine } from '../../../../src/core/values/hintLines.ts';
import { temporaryFolder } from '../../../harness/mar.ts';

/** The bus's reaction to a step: a reply, silence, hanging up, or these bytes. */
type Step = 'answer' | 'silence' | 'hang up' | Buffer | { error: string; text?: string };

export interface Item {
  path: string;
  secret: string;
  isLocked?: boolean;
}

export interface FakeBusOptions {
  items?: readonly Item[] | (() => readonly Item[]);
  /** `/` is none. */
  defaultKeyring?: string;
  isKeyringLocked?: boolean;
  /** The result of a prompt. Without one, a locked item is unlocked at once, or never. */
  prompt?: 'unlocks' | 'dismissed' | 'never';
  withoutPrompt?: 'unlocks' | 'stays locked';
  introduction?: Step;
  /** By the method that is called. */
  steps?: Record<string, Step>;
  /** Sends answers a byte at a time. */
  isDripping?: boolean;
  address?: 'path' | 'abstract';
}

const keyring = '/org/freedesktop/secrets/collection/login';
const prompt = '/org/freedesktop/secrets/prompt/p1';
const session = '/org/freedesktop/secrets/session/s1';

/** A session bus with a Secret Service on it, that does what the test says. */
export async function fakeBus(options: FakeBusOptions = {}) {
  const calls: string[] = [];
  const sockets = new Set<Socket>();
  const name = path.join(temporaryFolder(), 'b');
  const server = createServer((socket) => {
    sockets.add(socket);
    new Conversation(socket, options, calls);
  });
  server.listen(options.address === 'abstract' ? `\0${name}` : name);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const kind = options.address ?? 'path';
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: `unix:${kind}=${name},guid=0123` },
    /** The methods that were called, in order. */
    calls,
    /** Waits until nobody is connected any more. */
    async deserted() {
      for (const socket of sockets) {
        if (!socket.closed) await new Promise((closed) => socket.once('close', closed));
      }
    },
  };
}

/** The message and the hint of a failure of the store. */
export async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(MarError);
  expect(error.kind).toBe('credential-store');
  const hint = (error as MarError).hints.map((one) => hintLine(one)).join('\n');
  expect(hint).toContain('--insecure-storage');
  expect(hint).toContain('MAR_TOKEN');
  return { message: String(error.message), hint };
}

class Conversation {
  readonly #socket: Socket;
  readonly #options: FakeBusOptions;
  readonly #calls: string[];
  #received: Buffer = Buffer.alloc(0);
  #isIntroduced = false;
  #isUnlocked = false;

  constructor(socket: Socket, options: FakeBusOptions, calls: string[]) {
    this.#socket = socket;
    this.#options = options;
    this.#calls = calls;
    socket.on('error', () => {});
    socket.on('data', (bytes) => this.#receive(bytes));
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    if (!this.#isIntroduced) {
      const begin = this.#received.indexOf('BEGIN\r\n');
      if (begin < 0) return;
      this.#received = this.#received.subarray(begin + 'BEGIN\r\n'.length);
      this.#isIntroduced = true;
      const { introduction = 'answer' } = this.#options;
      if (introduction === 'answer') this.#send(Buffer.from('DATA\r\nOK 0123\r\n'));
      else if (!this.#stray(introduction)) return;
    }
    for (;;) {
      const size = messageSize(this.#received);
      if (size === undefined || this.#received.length < size) return;
      const call = this.#received.subarray(0, size);
      this.#received = this.#received.subarray(size);
      this.#answer(decodeMessage(call), call.readUInt32LE(8));
    }
  }

  /** Whether the conversation goes on. */
  #stray(step: Step): boolean {
    if (step === 'hang up') this.#socket.end();
    else if (Buffer.isBuffer(step)) this.#send(step);
    return step === 'answer';
  }

  #answer(call: DbusMessage, serial: number): void {
    const member = String(call.member);
    this.#calls.push(member);
    const step = this.#options.steps?.[member] ?? 'answer';
    if (typeof step === 'object' && 'error' in step) {
      const head = [part(4, 's', encodeString(step.error)), part(5, 'u', encodeUint32(serial))];
      this.#send(message(3, [...head, bodyType('s')], encodeString(step.text ?? 'no')));
    } else if (this.#stray(step)) {
      const [types, body] = this.#reply(member, call);
      this.#send(message(2, [part(5, 'u', encodeUint32(serial)), bodyType(types)], body));
      if (member === 'Prompt' && this.#options.prompt !== 'never') this.#complete();
    }
  }

  #complete(): void {
    const isDismissed = this.#options.prompt === 'dismissed';
    this.#isUnlocked ||= !isDismissed;
    const dismissed = encodeUint32(isDismissed ? 1 : 0);
    const result = sequence(dismissed + encodeSignature('s'), encodeString(''));
    const owner = encodeString('org.freedesktop.Secret.Prompt');
    const head = [part(1, 'o', encodeString(prompt)), part(2, 's', owner)];
    head.push(part(3, 's', encodeString('Completed')), bodyType('bv'));
    this.#send(message(4, head, result));
  }

  #reply(member: string, call: DbusMessage): [types: string, body: Bytes] {
    const { items = [], defaultKeyring = keyring, isKeyringLocked = false } = this.#options;
    const all = typeof items === 'function' ? items() : items;
    const isLocked = (item: Item) => item.isLocked === true && !this.#isUnlocked;
    const paths = (found: readonly Item[]) =>
      encodeArray(
        found.map((item) => encodeString(item.path)),
        4,
      );
    switch (member) {
      case 'Hello':
        return ['s', encodeString(':1.7')];
      case 'OpenSession':
        return ['vo', sequence(encodeSignature('s'), encodeString(''), encodeString(session))];
      case 'SearchItems': {
        const closed = all.filter(isLocked);
        const open = all.filter((item) => !isLocked(item));
        return ['aoao', sequence(paths(open), paths(closed))];
      }
      case 'GetSecret': {
        const { secret = '' } = all.find((item) => item.path === call.path) ?? {};
        const bytes = Buffer.from(secret).toString('latin1');
        const value = encodeUint32(bytes.length) + bytes;
        const kind = encodeString('text/plain');
        return ['(oayays)', sequence(encodeString(session), encodeUint32(0), value, kind)];
      }
      case 'ReadAlias':
        return ['o', encodeString(defaultKeyring)];
      case 'Get':
        return ['v', padTo(encodeSignature('b'), 4) + encodeUint32(isKeyringLocked ? 1 : 0)];
      case 'Unlock': {
        if (this.#options.prompt) return ['aoo', sequence(encodeUint32(0), encodeString(prompt))];
        const asked = new BodyReader(call.body).strings();
        const isRefused = this.#options.withoutPrompt === 'stays locked';
        this.#isUnlocked = !isRefused;
        const unlocked = isRefused ? [] : asked.map(encodeString);
        return ['aoo', sequence(encodeArray(unlocked, 4), encodeString('/'))];
      }
      default:
        return ['', ''];
    }
  }

  #send(bytes: Buffer): void {
    if (!this.#options.isDripping) this.#socket.write(bytes);
    else for (const byte of bytes) this.#socket.write(Buffer.of(byte));
  }
}

const sequence = (...parts: Bytes[]) => encodeSequence(parts, 4);

const part = (code: number, type: string, value: Bytes): Bytes =>
  String.fromCharCode(code) + encodeSignature(type) + value;

const bodyType = (types: string) => part(8, 'g', encodeSignature(types));

function message(type: number, head: readonly Bytes[], body: Bytes): Buffer {
  const content = encodeSequence(head, 8);
  const start = `l${String.fromCharCode(type, 1, 1)}`;
  const sizes = encodeUint32(body.length) + encodeUint32(1) + encodeUint32(content.length);
  return Buffer.from(padTo(start + sizes + content, 8) + body, 'latin1');
}
