import { randomUUID } from 'node:crypto';
import { lstat, open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MarError, systemCode } from '../errors.ts';
import { readRegularFile } from './regularFile.ts';

/** What is done under a lock takes milliseconds: an older lock was left by a process that died. */
const staleMs = 5000;
const patienceMs = 2 * staleMs;
const pauseMs = 10;

/** Runs an action while no other process runs one under the same lock file. */
export async function withLock<T>(lockPath: string, action: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  let deadline: number | undefined;
  while (!(await take(lockPath, owner))) {
    deadline ??= performance.now() + patienceMs;
    if (performance.now() > deadline) {
      throw new MarError('usage', `${lockPath} is held by another process`, {
        hint: 'try again; if no other mar is running, delete that file',
      });
    }
    await removeStale(lockPath, owner);
    await pause(pauseMs * (1 + Math.random()));
  }
  try {
    return await action();
  } finally {
    await releaseLock(lockPath, owner);
  }
}

async function take(lockPath: string, owner: string): Promise<boolean> {
  try {
    const file = await open(lockPath, 'wx', 0o600);
    await file.writeFile(owner);
    await file.close();
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return refuseForeign(lockPath);
    throw new MarError('usage', `cannot lock ${lockPath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A link, a folder or a FIFO was not left by a process that locks: waiting would not help. */
async function refuseForeign(lockPath: string): Promise<false> {
  const found = await lstat(lockPath).catch(() => undefined);
  if (!found || found.isFile()) return false;
  throw new MarError('usage', `${lockPath} is not a lock of mar: it is not a regular file`, {
    hint: 'Move it away and try again.',
  });
}

/** Who was so slow that its lock was taken over leaves the new owner's alone. */
export async function releaseLock(lockPath: string, owner: string): Promise<void> {
  if (holderOf(lockPath) === owner) await rm(lockPath, { force: true });
}

function holderOf(lockPath: string): string | undefined {
  try {
    return readRegularFile(lockPath).toString();
  } catch {
    return undefined;
  }
}

/**
 * Removes a lock that its owner left behind. Several processes may find it at once: only who holds
 * a second lock looks again and removes, so that none removes the lock of who came first.
 */
async function removeStale(lockPath: string, owner: string): Promise<void> {
  if (!(await isStale(lockPath))) return;
  const breaker = `${lockPath}.break`;
  if (!(await take(breaker, owner))) {
    if (await isStale(breaker)) await rm(breaker, { force: true });
    return;
  }
  try {
    if (await isStale(lockPath)) await rm(lockPath, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

/** A lock with a time in the future was made before the system's clock was set back. */
async function isStale(lockPath: string): Promise<boolean> {
  const found = await lstat(lockPath).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleMs;
}
