import { serviceName } from '../identity.ts';
import type { DbusConnection } from './dbusConnection.ts';
import {
  type BodyReader,
  encodeArray,
  encodeDictionary,
  encodeSequence,
  encodeSignature,
  encodeString,
  encodeStrings,
  type MethodCall,
} from './dbusMessage.ts';
import { KeychainFailure } from './keychainFailure.ts';

const destination = 'org.freedesktop.secrets';
const service = {
  destination,
  path: '/org/freedesktop/secrets',
  interface: 'org.freedesktop.Secret.Service',
};
/** The path that stands for "none". */
const noObject = '/';

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
    const body = encodeDictionary({ service: serviceName, username });
    const [open, closed] = await this.#call(
      { member: 'SearchItems', signature: 'a{ss}', body },
      'aoao',
      (reply) => [reply.strings(), reply.strings()] as const,
    );
    if (open.length + closed.length > 1) throw new KeychainFailure('several', username);
    if (closed[0]) await this.#unlock(closed[0]);
    return open[0] ?? closed[0];
  }

  /** Unencrypted: a process that can listen on the bus can also read secrets from the service. */
  #openSession(): Promise<string> {
    const algorithm = encodeString('plain') + encodeSignature('s');
    const body = encodeSequence([algorithm, encodeString('')], 4);
    return this.#call({ member: 'OpenSession', signature: 'sv', body }, 'vo', (reply) => {
      reply.signature();
      reply.string();
      return reply.string();
    });
  }

  #secretOf(path: string, session: string): Promise<string> {
    const item = { path, interface: 'org.freedesktop.Secret.Item' };
    const body = encodeString(session);
    const call = { ...item, member: 'GetSecret', signature: 'o', body };
    return this.#call(call, '(oayays)', (reply) => {
      reply.string();
      reply.bytes();
      return reply.bytes().toString();
    });
  }

  async #defaultKeyring(): Promise<string | undefined> {
    const call = { member: 'ReadAlias', signature: 's', body: encodeString('default') };
    const keyring = await this.#call(call, 'o', (reply) => reply.string());
    return keyring === noObject ? undefined : keyring;
  }

  #isLocked(path: string): Promise<boolean> {
    const keyring = { path, interface: 'org.freedesktop.DBus.Properties' };
    const body = encodeStrings('org.freedesktop.Secret.Collection', 'Locked');
    const call = { ...keyring, member: 'Get', signature: 'ss', body };
    return this.#call(call, 'v', (reply) => reply.signature() === 'b' && reply.boolean());
  }

  async #unlock(path: string): Promise<void> {
    const [unlocked, prompt] = await this.#call(
      { member: 'Unlock', signature: 'ao', body: encodeArray([encodeString(path)], 4) },
      'aoo',
      (reply) => [reply.strings(), reply.string()] as const,
    );
    if (prompt !== noObject) await this.#prompt(prompt);
    else if (!unlocked.includes(path)) throw new KeychainFailure('locked');
  }

  async #prompt(path: string): Promise<void> {
    const prompt = { path, interface: 'org.freedesktop.Secret.Prompt' };
    const call = { ...prompt, member: 'Prompt', signature: 's', body: encodeString('') };
    try {
      const [dismissed] = await Promise.all([
        this.#bus.signal({ ...prompt, member: 'Completed' }, (reply) => reply.boolean()),
        this.#call(call, '', () => {}),
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
    call: Partial<MethodCall> & { member: string },
    replySignature: string,
    read: (reply: BodyReader) => T,
  ): Promise<T> {
    return this.#bus.call({ ...service, ...call }, replySignature, read);
  }
}
