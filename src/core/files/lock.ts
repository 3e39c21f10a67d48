// Not node:fs/promises and node:crypto: an order takes a lock, and they are 30 modules of Node.
import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { type Hints, orUndefined, systemCode, usageError } from '../errors.ts';
import { readRegularFile } from './regularFile.ts';
import { systemReason } from './systemReason.ts';

/** The process that holds a lock, as its file names it. */
interface Holder {
  pid: number;
  host: string;
  since: string;
}

/** A lock belongs to the process that took it until that releases it or ends, however long that takes. */
export interface Lock {
  /** False if its file was deleted, or names another process: whoever has the lock asks before each write. */
  isHeld(): boolean;
  release(): void;
}

/** Work under `withLock` takes milliseconds. */
const maxWaitMs = 10_000;
/** A process writes its name right after it created the lock, unless it is killed in between. */
const blankMs = 500;

/** The locks of this process. In a container, a process that was killed had the same id as this one. */
const ownLocks = new Set<string>();

export async function withLock<T>(file: string, work: (lock: Lock) => Promise<T>): Promise<T> {
  const problem = 'another process is changing the same file';
  const lock = await acquireLock(file, problem, { waitMs: maxWaitMs });
  try {
    return await work(lock);
  } finally {
    lock.release();
  }
}

/**
 * Takes over the lock of a process that has ended on this machine. Nobody here can know whether a
 * process on another machine still runs, so the user has to decide. `problem` starts the message.
 */
export async function acquireLock(
  lock: string,
  problem: string,
  { waitMs = 0, hint }: { waitMs?: number; hint?: Hints } = {},
): Promise<Lock> {
  const own: Holder = { pid, host: hostname(), since: new Date().toISOString() };
  // The lock is told from the next one of this process, too.
  const ownText = JSON.stringify({ ...own, id: crypto.randomUUID() });
  ownLocks.add(ownText);
  const deadline = performance.now() + waitMs;
  while (!takeLock(lock, ownText, hint)) {
    const text = await settledText(lock);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (!holder && !isBlank(text)) throw notALock(lock);
    if (!holder || !isRunning(holder, text)) {
      // Several processes may find the same lock: one at a time compares and removes it.
      await withLock(`${lock}.takeover`, async () => releaseLock(lock, text));
    } else if (performance.now() > deadline) {
      const { host, since } = holder;
      throw usageError(
        `${problem}: process ${holder.pid} on ${host} has held ${lock} since ${since}`,
        'Wait until it ends. If that process is gone, delete this lock file.',
      );
    } else await pause();
  }
  return { isHeld: () => hasText(lock, ownText), release: () => releaseLock(lock, ownText) };
}

/** The process that holds a lock, if it still runs or is on another machine. */
export function lockHolder(lock: string): Holder | undefined {
  const text = orUndefined(() => lockText(lock)) ?? '';
  const holder = parseHolder(text);
  return holder && isRunning(holder, text) ? holder : undefined;
}

/** False if another process has the lock, or took it over before the text was written to it. */
function takeLock(lock: string, text: string, hint?: Hints): boolean {
  let file: number | undefined;
  try {
    file = openSync(lock, 'wx', 0o600);
    writeFileSync(file, text);
    return hasText(lock, text);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (file !== undefined) rmSync(lock, { force: true });
    throw usageError(`cannot create ${lock}: ${systemReason(error)}`, hint, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Removes a lock only while it has this text: it may belong to another process by now. */
function releaseLock(lock: string, text: string): void {
  if (hasText(lock, text)) rmSync(lock, { force: true });
  ownLocks.delete(text);
}

const hasText = (lock: string, text: string) => orUndefined(() => lockText(lock)) === text;

async function settledText(lock: string): Promise<string | undefined> {
  const deadline = performance.now() + blankMs;
  for (;;) {
    const text = lockText(lock);
    if (text === undefined || !isBlank(text) || performance.now() > deadline) return text;
    await pause();
  }
}

function lockText(lock: string): string | undefined {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw notALock(lock);
  try {
    return readRegularFile(lock).toString();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A power cut can leave zeros. */
const isBlank = (text: string) => /^\0*$/.test(text);

const notALock = (lock: string) =>
  usageError(`${lock} is not a lock file of mar`, 'Move it away, then run the same command again.');

function parseHolder(text: string): Holder | undefined {
  const holder: Holder = Object(orUndefined(() => JSON.parse(text)));
  const isPid = Number.isInteger(holder.pid) && holder.pid > 0;
  const { host, since } = holder;
  return isPid && typeof host === 'string' && typeof since === 'string' ? holder : undefined;
}

function isRunning(holder: Holder, text: string): boolean {
  if (holder.host !== hostname()) return true;
  if (holder.pid === pid) return ownLocks.has(text);
  try {
    // Signal 0 only checks that the process exists.
    return kill(holder.pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10 * (1 + Math.random())));
