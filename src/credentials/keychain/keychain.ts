import type { Environment } from '../../config/folders.ts';
import { entryName, serviceName, type TokenStore } from '../tokenStore.ts';
import { DbusConnection, sessionBusAddresses } from './dbusConnection.ts';
import type { LibraryRequest } from './keychainChild.ts';
import { KeychainFailure, toMarError } from './keychainFailure.ts';
import { SecretService } from './secretService.ts';

export interface KeychainOptions {
  env: Environment;
  platform: NodeJS.Platform;
  execPath: string;
  signal?: AbortSignal;
  /** The time that all slow calls together may take. */
  limitMs?: number;
  /** The script to start instead of the one that was built; for tests. */
  childScript?: string;
}

export interface Keychain extends TokenStore {
  /** Throws unless a token could be stored now. May prompt the user to unlock the keychain. */
  check(): Promise<void>;
}

/** Starting and ending a process included, this stays below the promised 3 s. */
const defaultLimitMs = 2500;

/** An entry that never exists: reading it shows whether the keychain works. */
const probeEntry = 'check';

/** The keychain of the operating system. It connects on each call, not before. */
export function keychain(options: KeychainOptions): Keychain {
  const isNative = options.platform === 'darwin' || options.platform === 'win32';
  const store = isNative ? libraryStore(options) : secretServiceStore(options);
  const withinLimit = timeLimit(options.limitMs ?? defaultLimitMs, options.signal);
  return {
    check: () => withinLimit((endsAt) => store.check(endsAt)),
    read: (key) => withinLimit((endsAt) => store.read(entryName(key), endsAt)),
    write: (key, token) => withinLimit((endsAt) => store.write(entryName(key), token, endsAt)),
    remove: (key) => withinLimit((endsAt) => store.remove(entryName(key), endsAt)),
  };
}

interface TimedStore {
  check(endsAt: number): Promise<void>;
  read(username: string, endsAt: number): Promise<string | undefined>;
  write(username: string, token: string, endsAt: number): Promise<void>;
  remove(username: string, endsAt: number): Promise<void>;
}

/**
 * Lets all calls of a command share one time limit. Quick calls do not count, since a command that
 * runs for hours may make thousands of them.
 */
function timeLimit(limitMs: number, signal: AbortSignal | undefined) {
  const quickMs = limitMs / 10;
  let remainingMs = limitMs;
  let timeout: unknown;
  return async <T>(work: (endsAt: number) => Promise<T>): Promise<T> => {
    if (timeout) throw timeout;
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    try {
      return await unlessAborted(work(startedAt + remainingMs), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const failure = toMarError(error);
      if (remainingMs - tookMs() < quickMs) timeout = failure;
      throw failure;
    } finally {
      if (tookMs() > quickMs) remainingMs -= tookMs();
    }
  };
}

/** Work that continues after an abort ends at its own deadline; the process does not wait for it. */
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

/** For macOS and Windows. */
function libraryStore(options: KeychainOptions): TimedStore {
  const call = async (request: Omit<LibraryRequest, 'service' | 'limitMs'>, endsAt: number) => {
    const { callLibrary } = await import('./libraryProcess.ts');
    return callLibrary({ service: serviceName, ...request }, options, endsAt);
  };
  return {
    async check(endsAt) {
      await call({ operation: 'read', username: probeEntry }, endsAt);
    },
    read: (username, endsAt) => call({ operation: 'read', username }, endsAt),
    async write(username, token, endsAt) {
      const kept = await call({ operation: 'store', username, secret: token }, endsAt);
      if (kept !== token) throw new KeychainFailure('not-kept');
    },
    async remove(username, endsAt) {
      const kept = await call({ operation: 'remove', username }, endsAt);
      if (kept !== undefined) throw new KeychainFailure('not-removed');
    },
  };
}

/**
 * For Linux. Reads from the Secret Service directly: the library takes 20 ms to load and to agree on
 * a key. Writes go through the library, once the service is known to respond and to be unlocked,
 * because the library's failures differ only in their text.
 */
function secretServiceStore(options: KeychainOptions): TimedStore {
  const { env } = options;
  const library = (bus: DbusConnection) =>
    // The library searches for a bus in its own way, and has to find the same one.
    libraryStore({ ...options, env: { ...env, DBUS_SESSION_BUS_ADDRESS: bus.address.text } });
  return {
    check: (endsAt) =>
      withSecretService(env, endsAt, async (service, bus) => {
        await service.checkDefaultKeyring();
        await library(bus).check(endsAt);
      }),
    read: (username, endsAt) => withSecretService(env, endsAt, (service) => service.read(username)),
    write: (username, token, endsAt) =>
      withSecretService(env, endsAt, async (service, bus) => {
        if (!(await service.find(username))) await service.checkDefaultKeyring();
        await library(bus).write(username, token, endsAt);
        if ((await service.read(username)) !== token) throw new KeychainFailure('not-kept');
      }),
    remove: (username, endsAt) =>
      withSecretService(env, endsAt, async (service, bus) => {
        if (!(await service.find(username))) return;
        await library(bus).remove(username, endsAt);
        if (await service.find(username)) throw new KeychainFailure('not-removed');
      }),
  };
}

async function withSecretService<T>(
  env: Environment,
  endsAt: number,
  work: (service: SecretService, bus: DbusConnection) => Promise<T>,
): Promise<T> {
  const bus = await DbusConnection.open(sessionBusAddresses(env), endsAt);
  try {
    return await work(new SecretService(bus), bus);
  } finally {
    bus.close();
  }
}
