import type { Environment } from '../../config/folders.ts';
import { entryName, type TokenStore } from '../tokenFile.ts';
import type { Bus } from './bus.ts';
import type { NativeRequest } from './child.ts';
import { serviceName } from './entry.ts';
import { KeychainFailure } from './keychainFailure.ts';
import type { SecretService } from './secretService.ts';

export interface KeychainOptions {
  env: Environment;
  platform: NodeJS.Platform;
  /** Node, for the process that the keychain library runs in. */
  execPath: string;
  /** Ends what is waited for; its reason is what it fails with. */
  signal?: AbortSignal;
  /** How long what is asked of this keychain may take, all of it together. */
  limitMs?: number;
  /** The script around the keychain library, where it is not the one that was built. */
  childScript?: string;
}

export interface Keychain extends TokenStore {
  /** Throws unless a token could be stored now. Asks the user for nothing but to unlock it. */
  check(): Promise<void>;
}

/** With the start of a process, and the end of one, this stays below the 3 s that are promised. */
const defaultLimitMs = 2500;

/** An entry that is never made: asking for it shows whether the keychain works. */
const probe = 'check';

/** The keychain of the operating system. Nothing happens until it is asked something. */
export function keychain(options: KeychainOptions): Keychain {
  const isNative = options.platform === 'darwin' || options.platform === 'win32';
  const ask = isNative ? libraryAlone(options) : secretServiceFirst(options);
  const withinLimit = limited(options.limitMs ?? defaultLimitMs, options.signal);
  return {
    check: () => withinLimit((endsAt) => ask.check(endsAt)),
    read: (key) => withinLimit((endsAt) => ask.read(entryName(key), endsAt)),
    write: (key, token) => withinLimit((endsAt) => ask.write(entryName(key), token, endsAt)),
    remove: (key) => withinLimit((endsAt) => ask.remove(entryName(key), endsAt)),
  };
}

interface TimedStore {
  check(endsAt: number): Promise<void>;
  read(username: string, endsAt: number): Promise<string | undefined>;
  write(username: string, token: string, endsAt: number): Promise<void>;
  remove(username: string, endsAt: number): Promise<void>;
}

/**
 * A command may ask more than once, so its questions share the time that it may lose to a slow
 * keychain. Quick answers are free: a command that runs for hours may ask thousands of times.
 */
function limited(limitMs: number, signal: AbortSignal | undefined) {
  const quickMs = limitMs / 10;
  let left = limitMs;
  let ranOut: unknown;
  return async <T>(work: (endsAt: number) => Promise<T>): Promise<T> => {
    if (ranOut) throw ranOut;
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    try {
      return await unlessAborted(work(startedAt + left), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const { inWords } = await import('./keychainFailure.ts');
      const failure = inWords(error);
      if (left - tookMs() < quickMs) ranOut = failure;
      throw failure;
    } finally {
      if (tookMs() > quickMs) left -= tookMs();
    }
  };
}

/** What is still under way then is left to its deadline: the process ends without it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let interrupt = () => {};
  const aborted = new Promise<never>((_, reject) => {
    interrupt = () => reject(signal.reason);
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

/** macOS and Windows: the library does all of it. */
function libraryAlone(options: KeychainOptions): TimedStore {
  const ask = async (question: Omit<NativeRequest, 'service' | 'limitMs'>, endsAt: number) => {
    const { askLibrary } = await import('./native.ts');
    return askLibrary({ service: serviceName, ...question }, options, endsAt);
  };
  return {
    async check(endsAt) {
      await ask({ operation: 'read', username: probe }, endsAt);
    },
    read: (username, endsAt) => ask({ operation: 'read', username }, endsAt),
    async write(username, token, endsAt) {
      const kept = await ask({ operation: 'store', username, secret: token }, endsAt);
      if (kept !== token) throw new KeychainFailure('not-kept');
    },
    async remove(username, endsAt) {
      const kept = await ask({ operation: 'remove', username }, endsAt);
      if (kept !== undefined) throw new KeychainFailure('not-removed');
    },
  };
}

/**
 * Linux: the Secret Service, read without the library, which takes 20 ms to load and to agree on a
 * key. The library writes; it is only asked once the service is known to be there, to answer and
 * to be unlocked, since it tells its failures apart by their text alone.
 */
function secretServiceFirst(options: KeychainOptions): TimedStore {
  const { env } = options;
  const library = (bus: Bus) =>
    // The library looks for a bus in its own way: it is to find the same one.
    libraryAlone({ ...options, env: { ...env, DBUS_SESSION_BUS_ADDRESS: bus.address.text } });
  return {
    check: (endsAt) =>
      onBus(env, endsAt, async (service, bus) => {
        await service.checkDefaultKeyring();
        await library(bus).check(endsAt);
      }),
    read: (username, endsAt) => onBus(env, endsAt, (service) => service.read(username)),
    write: (username, token, endsAt) =>
      onBus(env, endsAt, async (service, bus) => {
        if (!(await service.find(username))) await service.checkDefaultKeyring();
        await library(bus).write(username, token, endsAt);
        if ((await service.read(username)) !== token) throw new KeychainFailure('not-kept');
      }),
    remove: (username, endsAt) =>
      onBus(env, endsAt, async (service, bus) => {
        if (!(await service.find(username))) return;
        await library(bus).remove(username, endsAt);
        if (await service.find(username)) throw new KeychainFailure('not-removed');
      }),
  };
}

/** Loads the D-Bus code late: a token from MAR_TOKEN or from a file does not need it. */
async function onBus<T>(
  env: Environment,
  endsAt: number,
  work: (service: SecretService, bus: Bus) => Promise<T>,
): Promise<T> {
  const { onSessionBus } = await import('./secretService.ts');
  return onSessionBus(env, endsAt, work);
}
