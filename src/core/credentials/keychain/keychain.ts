import { once } from 'node:events';
import { entryName, serviceName, type TokenStore } from '../identity.ts';
import { connectToBus, DbusConnection, sessionBusAddress } from './dbusConnection.ts';
import type { LibraryRequest } from './keychainChild.ts';
import { KeychainFailure, toMarError } from './keychainFailure.ts';
import type { LibraryOptions } from './libraryProcess.ts';
import { type SecretService, secretService } from './secretService.ts';

export interface KeychainOptions extends LibraryOptions {
  platform: NodeJS.Platform;
  signal?: AbortSignal;
  /** The time that all slow calls together may take. */
  limitMs?: number;
}

export interface Keychain extends TokenStore {
  /** Throws unless a token could be stored now. May prompt the user to unlock the keychain. */
  check(): Promise<void>;
}

/** Starting and ending a process included, this stays below the promised 3 s. */
const defaultLimitMs = 2500;

/** An entry that never exists: reading it shows whether the keychain works. */
const probeEntry = 'check';

/** Connects on each call, not before. */
export function keychain(options: KeychainOptions): Keychain {
  const { platform, signal = new AbortController().signal, limitMs = defaultLimitMs } = options;
  const storeUntil =
    platform === 'darwin' || platform === 'win32' ? libraryStore : secretServiceStore;
  const withinLimit = timeLimit(limitMs, signal);
  const use = <T>(work: (store: Keychain) => Promise<T>) =>
    withinLimit((endsAt) => work(storeUntil(endsAt, options)));
  return {
    check: () => use((store) => store.check()),
    read: (key) => use((store) => store.read(key)),
    write: (key, token) => use((store) => store.write(key, token)),
    remove: (key) => use((store) => store.remove(key)),
  };
}

/** Quick calls do not count: a command that runs for hours may make thousands of them. */
function timeLimit(limitMs: number, signal: AbortSignal) {
  const quickMs = limitMs / 10;
  let remainingMs = limitMs;
  let timeout: unknown;
  return async <T>(work: (endsAt: number) => Promise<T>): Promise<T> => {
    if (timeout) throw timeout;
    signal.throwIfAborted();
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    const end = new AbortController();
    const aborted = once(signal, 'abort', { signal: end.signal }).then(() => {
      throw signal.reason;
    });
    try {
      // Work that continues after an abort ends at its own deadline; the process does not wait for it.
      return await Promise.race([work(startedAt + remainingMs), aborted]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = toMarError(error);
      if (remainingMs - tookMs() < quickMs) timeout = failure;
      throw failure;
    } finally {
      end.abort();
      if (tookMs() > quickMs) remainingMs -= tookMs();
    }
  };
}

/** For macOS and Windows. */
function libraryStore(endsAt: number, options: LibraryOptions): Keychain {
  const call = async (request: Omit<LibraryRequest, 'service' | 'limitMs'>) => {
    const { callLibrary } = await import('./libraryProcess.ts');
    return callLibrary({ service: serviceName, ...request }, options, endsAt);
  };
  return {
    async check() {
      await call({ operation: 'read', username: probeEntry });
    },
    read: (key) => call({ operation: 'read', username: entryName(key) }),
    async write(key, token) {
      const kept = await call({ operation: 'store', username: entryName(key), secret: token });
      if (kept !== token) throw new KeychainFailure('not-kept');
    },
    async remove(key) {
      const kept = await call({ operation: 'remove', username: entryName(key) });
      if (kept !== undefined) throw new KeychainFailure('not-removed');
    },
  };
}

/**
 * For Linux. Reads from the Secret Service directly: the library in its process takes six times as
 * long. Writes go through the library, once the service is known to respond and to be unlocked,
 * because the library's failures differ only in their text.
 */
function secretServiceStore(endsAt: number, options: LibraryOptions): Keychain {
  async function onBus<T>(work: (service: SecretService, library: Keychain) => Promise<T>) {
    const connected = await connectToBus(sessionBusAddress(options.env));
    const bus = new DbusConnection(connected, endsAt);
    try {
      // The library searches for a bus in its own way, and has to find the same one.
      const env = { ...options.env, DBUS_SESSION_BUS_ADDRESS: bus.address.text };
      return await work(secretService(bus), libraryStore(endsAt, { ...options, env }));
    } finally {
      bus.close();
    }
  }
  return {
    check: () =>
      onBus(async (service, library) => {
        await service.checkDefaultKeyring();
        await library.check();
      }),
    read: (key) => onBus((service) => service.read(entryName(key))),
    write: (key, token) =>
      onBus(async (service, library) => {
        const username = entryName(key);
        if (!(await service.find(username))) await service.checkDefaultKeyring();
        await library.write(key, token);
        if ((await service.read(username)) !== token) throw new KeychainFailure('not-kept');
      }),
    remove: (key) =>
      onBus(async (service, library) => {
        const username = entryName(key);
        if (!(await service.find(username))) return;
        await library.remove(key);
        if (await service.find(username)) throw new KeychainFailure('not-removed');
      }),
  };
}
