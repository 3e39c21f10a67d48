import type { Environment } from '../../config/folders.ts';
import { Bus, busAddresses } from './bus.ts';
import {
  array,
  type Call,
  dictionary,
  type Reader,
  sequence,
  signature,
  string,
  strings,
} from './dbusMessage.ts';
import { serviceName } from './entry.ts';
import { KeychainFailure } from './keychainFailure.ts';

const destination = 'org.freedesktop.secrets';
const servicePath = '/org/freedesktop/secrets';
/** How the Secret Service says "none" where a path is due. */
const nothing = '/';

/** Connects to the session bus for as long as the work takes. */
export async function onSessionBus<T>(
  env: Environment,
  endsAt: number,
  work: (service: SecretService, bus: Bus) => Promise<T>,
): Promise<T> {
  let bus: Bus | undefined;
  try {
    bus = await Bus.open(busAddresses(env), endsAt);
    return await work(new SecretService(bus), bus);
  } finally {
    bus?.close();
  }
}

/**
 * The Secret Service of a session bus, with what `mar` asks of it. Each question fails with the
 * state that the keychain is in.
 */
export class SecretService {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  async read(username: string): Promise<string | undefined> {
    const [session, item] = await Promise.all([this.#openSession(), this.find(username)]);
    return item && this.#secretOf(item, session);
  }

  /** The one entry of this user name, unlocked. */
  async find(username: string): Promise<string | undefined> {
    const found = await this.#search(username);
    if (found) return found;
    // Some keychains show nothing of what is in them while they are locked.
    const keyring = await this.#defaultKeyring();
    if (!keyring || !(await this.#isLocked(keyring))) return undefined;
    await this.#unlock(keyring);
    return this.#search(username);
  }

  /** Throws unless a new entry could be made now. */
  async checkDefaultKeyring(): Promise<void> {
    const keyring = await this.#defaultKeyring();
    if (!keyring) throw new KeychainFailure('no-keyring');
    if (await this.#isLocked(keyring)) await this.#unlock(keyring);
  }

  async #search(username: string): Promise<string | undefined> {
    const [open, closed] = await this.#ask(
      'SearchItems',
      {
        signature: 'a{ss}',
        body: dictionary({ service: serviceName, username }),
      },
      'aoao',
      (answer) => [answer.strings(), answer.strings()] as const,
    );
    const count = open.length + closed.length;
    if (count > 1) throw new KeychainFailure('several', username);
    if (closed[0]) await this.#unlock(closed[0]);
    return open[0] ?? closed[0];
  }

  /**
   * Secrets cross the bus as they are: whoever may listen there may ask the service for them too,
   * and the exchange of keys would cost more time than all the rest.
   */
  #openSession(): Promise<string> {
    return this.#ask(
      'OpenSession',
      {
        signature: 'sv',
        body: sequence([string('plain') + signature('s'), string('')], 4),
      },
      'vo',
      (answer) => {
        answer.signature();
        answer.string();
        return answer.string();
      },
    );
  }

  async #secretOf(item: string, session: string): Promise<string> {
    return this.#bus.call(
      {
        destination,
        path: item,
        interface: 'org.freedesktop.Secret.Item',
        member: 'GetSecret',
        signature: 'o',
        body: string(session),
      },
      '(oayays)',
      (answer) => {
        answer.string();
        answer.bytes();
        return answer.bytes().toString();
      },
    );
  }

  async #defaultKeyring(): Promise<string | undefined> {
    const keyring = await this.#ask(
      'ReadAlias',
      { signature: 's', body: string('default') },
      'o',
      (answer) => answer.string(),
    );
    return keyring === nothing ? undefined : keyring;
  }

  #isLocked(keyring: string): Promise<boolean> {
    return this.#bus.call(
      {
        destination,
        path: keyring,
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Get',
        signature: 'ss',
        body: strings('org.freedesktop.Secret.Collection', 'Locked'),
      },
      'v',
      (answer) => answer.signature() === 'b' && answer.boolean(),
    );
  }

  async #unlock(path: string): Promise<void> {
    const [unlocked, prompt] = await this.#ask(
      'Unlock',
      { signature: 'ao', body: array([string(path)], 4) },
      'aoo',
      (answer) => [answer.strings(), answer.string()] as const,
    );
    if (prompt !== nothing) await this.#prompt(prompt);
    else if (!unlocked.includes(path)) throw new KeychainFailure('locked');
  }

  async #prompt(path: string): Promise<void> {
    const prompt = { path, interface: 'org.freedesktop.Secret.Prompt' };
    try {
      const [dismissed] = await Promise.all([
        this.#bus.signal({ ...prompt, member: 'Completed' }, (answer) => answer.boolean()),
        this.#bus.call(
          {
            ...prompt,
            destination,
            member: 'Prompt',
            signature: 's',
            body: string(''),
          },
          '',
          () => {},
        ),
      ]);
      if (dismissed) throw new KeychainFailure('dismissed');
    } catch (error) {
      if (!(error instanceof KeychainFailure) || error.state !== 'silent') throw error;
      // Nobody answers it any more, so it should not stay on the screen.
      this.#bus.send({ ...prompt, destination, member: 'Dismiss' });
      throw new KeychainFailure('locked');
    }
  }

  #ask<T>(
    member: string,
    question: Pick<Call, 'signature' | 'body'>,
    answerSignature: string,
    read: (answer: Reader) => T,
  ): Promise<T> {
    const call = { destination, path: servicePath, interface: 'org.freedesktop.Secret.Service' };
    return this.#bus.call({ ...call, member, ...question }, answerSignature, read);
  }
}
