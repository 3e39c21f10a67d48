import { randomUUID } from 'node:crypto';
import { lstat, open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MarError, orUndefined, systemCode, usageError } from '../errors.ts';
import { readRegularFile } from './regularFile.ts';
import { systemReason } from './systemReason.ts';

/** The processes of this machine, as far as a lock needs to know them. */
export interface Processes {
  id: number;
  isRunning(id: number): boolean;
}

/** Work under a lock takes milliseconds, so an older lock belongs to a process that died. */
const staleMs = 5000;
const patienceMs = 2 * staleMs;
const pauseMs = 10;

/** False if another process has the lock, or took it over before the owner was written to it. */
export async function takeLock(lock: string, owner: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o600).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(owner);
    return lockOwner(lock) === owner;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Empty if there is no such file, or it is not a regular one. */
export const lockOwner = (lock: string): string =>
  orUndefined(() => readRegularFile(lock).toString()) ?? '';

/** Removes a lock only while its owner still holds it: a slow owner may have lost it to another. */
export async function releaseLock(lock: string, owner: string): Promise<void> {
  if (lockOwner(lock) === owner) await rm(lock, { force: true });
}

export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  let deadline: number | undefined;
  while (!(await tryLock(lock, owner))) {
    deadline ??= performance.now() + patienceMs;
    if (performance.now() > deadline) {
      const hint = 'Try again. If no other mar is running, delete that file.';
      throw usageError(`another process holds ${lock}`, hint);
    }
    await removeStale(lock);
    await pause(pauseMs * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await releaseLock(lock, owner);
  }
}

async function tryLock(lock: string, owner: string): Promise<boolean> {
  const isTaken = await takeLock(lock, owner).catch((error: Error) => {
    throw new MarError('usage', `cannot create ${lock}: ${systemReason(error)}`, { cause: error });
  });
  if (isTaken) return true;
  const found = await lstat(lock).catch(() => undefined);
  if (!found || found.isFile()) return false;
  // No process of mar leaves a link, a folder or a FIFO behind, so waiting would not help.
  const message = `${lock} is not a lock file of mar`;
  throw usageError(message, 'Move it away, then run the same command again.');
}

/** Several processes may find a stale lock. A second lock lets one of them check and remove it. */
async function removeStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return;
  await withLock(`${lock}.break`, async () => {
    if (await isStale(lock)) await rm(lock, { force: true });
  });
}

/** A lock from the future was made before the system's clock was set back. */
async function isStale(lock: string): Promise<boolean> {
  const found = await lstat(lock).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleMs;
}
