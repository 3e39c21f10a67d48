import { serviceName } from '../identity.ts';
import type { DbusConnection } from './dbusConnection.ts';
import {
  type BodyReader,
  encodeArray,
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

export type SecretService = ReturnType<typeof secretService>;

export function secretService(bus: DbusConnection) {
  const call = <T>(
    request: Partial<MethodCall> & { member: string },
    replySignature: string,
    read: (reply: BodyReader) => T,
  ): Promise<T> => bus.call({ ...service, ...request }, replySignature, read);

  /** Unencrypted: a process that can listen on the bus can also read secrets from the service. */
  function openSession(): Promise<string> {
    const algorithm = encodeString('plain') + encodeSignature('s');
    const body = encodeSequence([algorithm, encodeString('')], 4);
    return call({ member: 'OpenSession', signature: 'sv', body }, 'vo', (reply) => {
      reply.signature();
      reply.string();
      return reply.string();
    });
  }

  function secretOf(path: string, session: string): Promise<string> {
    const item = { path, interface: 'org.freedesktop.Secret.Item' };
    const request = { ...item, member: 'GetSecret', signature: 'o', body: encodeString(session) };
    return call(request, '(oayays)', (reply) => {
      reply.string();
      reply.bytes();
      return reply.bytes().toString();
    });
  }

  async function prompt(path: string): Promise<void> {
    const object = { path, interface: 'org.freedesktop.Secret.Prompt' };
    const request = { ...object, member: 'Prompt', signature: 's', body: encodeString('') };
    try {
      const [dismissed] = await Promise.all([
        bus.signal({ ...object, member: 'Completed' }, (reply) => reply.uint32() !== 0),
        call(request, '', () => {}),
      ]);
      if (dismissed) throw new KeychainFailure('dismissed');
    } catch (error) {
      if (!(error instanceof KeychainFailure) || error.state !== 'silent') throw error;
      // Remove the prompt from the screen: nothing waits for it any more.
      bus.send({ ...object, destination, member: 'Dismiss' });
      throw new KeychainFailure('locked');
    }
  }

  async function unlock(path: string): Promise<void> {
    const [unlocked, promptPath] = await call(
      { member: 'Unlock', signature: 'ao', body: encodeArray([encodeString(path)], 4) },
      'aoo',
      (reply) => [reply.strings(), reply.string()] as const,
    );
    if (promptPath !== noObject) await prompt(promptPath);
    else if (!unlocked.includes(path)) throw new KeychainFailure('locked');
  }

  async function search(username: string): Promise<string | undefined> {
    const attributes = { service: serviceName, username };
    const entries = Object.entries(attributes).map((entry) => encodeStrings(...entry));
    const [open, closed] = await call(
      { member: 'SearchItems', signature: 'a{ss}', body: encodeArray(entries, 8) },
      'aoao',
      (reply) => [reply.strings(), reply.strings()] as const,
    );
    if (open.length + closed.length > 1) throw new KeychainFailure('several', username);
    if (closed[0]) await unlock(closed[0]);
    return open[0] ?? closed[0];
  }

  /** The default keyring, and whether it was locked. Some keychains hide entries of a locked one. */
  async function unlockDefaultKeyring() {
    const request = { member: 'ReadAlias', signature: 's', body: encodeString('default') };
    const path = await call(request, 'o', (reply) => reply.string());
    if (path === noObject) return undefined;
    const keyring = { path, interface: 'org.freedesktop.DBus.Properties' };
    const body = encodeStrings('org.freedesktop.Secret.Collection', 'Locked');
    const property = { ...keyring, member: 'Get', signature: 'ss', body };
    const isLocked = (reply: BodyReader) => reply.signature() === 'b' && reply.uint32() !== 0;
    const wasLocked = await call(property, 'v', isLocked);
    if (wasLocked) await unlock(path);
    return { wasLocked };
  }

  /** Finds the only entry of a user name, and unlocks it. */
  async function find(username: string): Promise<string | undefined> {
    const found = await search(username);
    if (found) return found;
    return (await unlockDefaultKeyring())?.wasLocked ? search(username) : undefined;
  }

  return {
    find,
    async read(username: string): Promise<string | undefined> {
      const [session, item] = await Promise.all([openSession(), find(username)]);
      return item && secretOf(item, session);
    },
    /** Throws unless a new entry could be created now. */
    async checkDefaultKeyring(): Promise<void> {
      if (!(await unlockDefaultKeyring())) throw new KeychainFailure('no-keyring');
    },
  };
}
