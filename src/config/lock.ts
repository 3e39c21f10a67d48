import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MarError, systemCode } from '../errors.ts';

/** What is done under a lock takes milliseconds: an older lock was left by a process that died. */
const staleMs = 5000;
const patienceMs = 2 * staleMs;
const pauseMs = 10;

/** Runs an action while no other process runs one under the same lock file. */
export async function withLock<T>(lockPath: string, action: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (!(await take(lockPath))) {
    if (Date.now() > deadline) {
      throw new MarError('usage', `${lockPath} is held by another process`, {
        hint: 'try again; if no other mar is running, delete that file',
      });
    }
    if (!(await removeStale(lockPath))) await pause(pauseMs * (1 + Math.random()));
  }
  try {
    return await action();
  } finally {
    await rm(lockPath, { force: true });
  }
}

async function take(lockPath: string): Promise<boolean> {
  try {
    const file = await open(lockPath, 'wx', 0o600);
    await file.writeFile(randomUUID());
    await file.close();
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new MarError('usage', `cannot lock ${lockPath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Moves a lock aside that its owner left behind. Moving is atomic, so of several processes that
 * try, one gets it; a lock that was renewed in between is put back.
 */
async function removeStale(lockPath: string): Promise<boolean> {
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    if (Date.now() - (await stat(lockPath)).mtimeMs < staleMs) return false;
    const owner = await readFile(lockPath, 'utf8');
    await rename(lockPath, aside);
    if ((await readFile(aside, 'utf8')) !== owner) await link(aside, lockPath);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'EEXIST') return true;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
