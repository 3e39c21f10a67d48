// Not node:fs/promises and node:crypto: an order takes a lock, and they are 30 modules of Node.
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
  let file: number;
  try {
    file = openSync(lock, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, owner);
    return lockOwner(lock) === owner;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Empty if there is no such file, or it is not a regular one. */
export const lockOwner = (lock: string): string =>
  orUndefined(() => readRegularFile(lock).toString()) ?? '';

/** Removes a lock only while its owner still holds it: a slow owner may have lost it to another. */
export async function releaseLock(lock: string, owner: string): Promise<void> {
  if (lockOwner(lock) === owner) rmSync(lock, { force: true });
}

/** Unlike that of any other process, and of any other lock of this one. */
const newOwner = () => `${process.pid} ${performance.timeOrigin} ${Math.random()}`;

export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const owner = newOwner();
  let deadline: number | undefined;
  while (!(await tryLock(lock, owner))) {
    deadline ??= performance.now() + patienceMs;
    if (performance.now() > deadline) {
      const hint = 'Try again. If no other mar is running, delete that file.';
      throw usageError(`another process holds ${lock}`, hint);
    }
    await removeStale(lock);
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (1 + Math.random())));
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
  const found = orUndefined(() => lstatSync(lock));
  if (!found || found.isFile()) return false;
  // No process of mar leaves a link, a folder or a FIFO behind, so waiting would not help.
  const message = `${lock} is not a lock file of mar`;
  throw usageError(message, 'Move it away, then run the same command again.');
}

/** Several processes may find a stale lock. A second lock lets one of them check and remove it. */
async function removeStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return;
  await withLock(`${lock}.break`, async () => {
    if (await isStale(lock)) rmSync(lock, { force: true });
  });
}

/** A lock from the future was made before the system's clock was set back. */
async function isStale(lock: string): Promise<boolean> {
  const found = orUndefined(() => lstatSync(lock));
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleMs;
}
