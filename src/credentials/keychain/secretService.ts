import { serviceName } from '../tokenStore.ts';
import type { DbusConnection } from './dbusConnection.ts';
import {
  type BodyReader,
  type Bytes,
  encodeArray,
  encodeDictionary,
  encodeSequence,
  encodeSignature,
  encodeString,
  encodeStrings,
} from './dbusMessage.ts';
import { KeychainFailure } from './keychainFailure.ts';

const destination = 'org.freedesktop.secrets';
const servicePath = '/org/freedesktop/secrets';
/** The path that stands for "none". */
const noObject = '/';

/** The Secret Service of a session bus. Each call fails with the state of the keychain. */
export class SecretService {
  readonly #bus: DbusConnection;

  constructor(bus: DbusConnection) {
    this.#bus = bus;
  }

  async read(username: string): Promise<string | undefined> {
    const [session, item] = await Promise.all([this.#openSession(), this.find(username)]);
    return item && this.#secretOf(item, session);
  }

  /** Finds the only entry of a user name, and unlocks it. */
  async find(username: string): Promise<string | undefined> {
    const found = await this.#search(username);
    if (found) return found;
    // Some keychains hide their entries while they are locked.
    const keyring = await this.#defaultKeyring();
    if (!keyring || !(await this.#isLocked(keyring))) return undefined;
    await this.#unlock(keyring);
    return this.#search(username);
  }

  /** Throws unless a new entry could be created now. */
  async checkDefaultKeyring(): Promise<void> {
    const keyring = await this.#defaultKeyring();
    if (!keyring) throw new KeychainFailure('no-keyring');
    if (await this.#isLocked(keyring)) await this.#unlock(keyring);
  }

  async #search(username: string): Promise<string | undefined> {
    const attributes = encodeDictionary({ service: serviceName, username });
    const [open, closed] = await this.#call(
      ['SearchItems', 'a{ss}', attributes],
      'aoao',
      (reply) => [reply.strings(), reply.strings()] as const,
    );
    const count = open.length + closed.length;
    if (count > 1) throw new KeychainFailure('several', username);
    if (closed[0]) await this.#unlock(closed[0]);
    return open[0] ?? closed[0];
  }

  /**
   * Secrets cross the bus unencrypted: a process that can listen there can also read them from the
   * service, and exchanging keys would take longer than everything else.
   */
  #openSession(): Promise<string> {
    const algorithm = encodeString('plain') + encodeSignature('s');
    const body = encodeSequence([algorithm, encodeString('')], 4);
    return this.#call(['OpenSession', 'sv', body], 'vo', (reply) => {
      reply.signature();
      reply.string();
      return reply.string();
    });
  }

  async #secretOf(item: string, session: string): Promise<string> {
    return this.#bus.call(
      {
        destination,
        path: item,
        interface: 'org.freedesktop.Secret.Item',
        member: 'GetSecret',
        signature: 'o',
        body: encodeString(session),
      },
      '(oayays)',
      (reply) => {
        reply.string();
        reply.bytes();
        return reply.bytes().toString();
      },
    );
  }

  async #defaultKeyring(): Promise<string | undefined> {
    const alias = encodeString('default');
    const keyring = await this.#call(['ReadAlias', 's', alias], 'o', (reply) => reply.string());
    return keyring === noObject ? undefined : keyring;
  }

  #isLocked(keyring: string): Promise<boolean> {
    return this.#bus.call(
      {
        destination,
        path: keyring,
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Get',
        signature: 'ss',
        body: encodeStrings('org.freedesktop.Secret.Collection', 'Locked'),
      },
      'v',
      (reply) => reply.signature() === 'b' && reply.boolean(),
    );
  }

  async #unlock(path: string): Promise<void> {
    const [unlocked, prompt] = await this.#call(
      ['Unlock', 'ao', encodeArray([encodeString(path)], 4)],
      'aoo',
      (reply) => [reply.strings(), reply.string()] as const,
    );
    if (prompt !== noObject) await this.#prompt(prompt);
    else if (!unlocked.includes(path)) throw new KeychainFailure('locked');
  }

  async #prompt(path: string): Promise<void> {
    const prompt = { path, interface: 'org.freedesktop.Secret.Prompt' };
    try {
      const [dismissed] = await Promise.all([
        this.#bus.signal({ ...prompt, member: 'Completed' }, (reply) => reply.boolean()),
        this.#bus.call(
          { ...prompt, destination, member: 'Prompt', signature: 's', body: encodeString('') },
          '',
          () => {},
        ),
      ]);
      if (dismissed) throw new KeychainFailure('dismissed');
    } catch (error) {
      if (!(error instanceof KeychainFailure) || error.state !== 'silent') throw error;
      // Remove the prompt from the screen: nothing waits for it any more.
      this.#bus.send({ ...prompt, destination, member: 'Dismiss' });
      throw new KeychainFailure('locked');
    }
  }

  #call<T>(
    [member, signature, body]: [member: string, signature: string, body: Bytes],
    replySignature: string,
    read: (reply: BodyReader) => T,
  ): Promise<T> {
    const target = { destination, path: servicePath, interface: 'org.freedesktop.Secret.Service' };
    return this.#bus.call({ ...target, member, signature, body }, replySignature, read);
  }
}
