import { lstat, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { onCommandLine, orUndefined, usageError } from '../../errors.ts';
import { lockOwner, type Processes, releaseLock, takeLock, withLock } from '../../files/lock.ts';
import { systemReason } from '../../files/systemReason.ts';
import { moveAwayHint } from './journalPaths.ts';

/*
 * The lock of a journal. `files/lock.ts` is for work of milliseconds and takes over a lock that is
 * seconds old. A batch runs for hours: its lock is taken over only when its process is gone, so it
 * names that process, and others are refused at once instead of waiting.
 */

export interface Holder {
  pid: number;
  /** A process id is unique within a machine and its PID namespace. */
  host: string;
  space?: string;
  /** The start of the process: its id may be reused later. */
  began?: string;
  since: string;
}

/** A holder writes its name right after it created the lock. */
const patienceMs = 500;
const maxTries = 5;
const maxPid = 2 ** 31 - 1;

/**
 * Nobody can know here whether a process on another machine still runs. `takeOver` then asks the user,
 * and throws unless its lock is to be broken.
 */
export async function lockJournal(
  journal: string,
  processes: Processes,
  takeOver?: (holder: Holder) => Promise<void>,
): Promise<() => Promise<void>> {
  const lock = await lockPath(journal);
  const self = await describeSelf(processes);
  const text = JSON.stringify(self);
  let broken: string | undefined;
  const refuseIfHeld = async () => {
    const holder = await waitForHolder(lock);
    if (!holder || !(await isAlive(holder, self, processes))) return;
    const isThere = isElsewhere(holder, self);
    if (!takeOver || !isThere) {
      const problem = `this batch is already running: ${describeHolder(holder)}`;
      throw usageError(
        problem,
        isThere ? `Wait until it ends. ${breakHint}` : 'Wait until it ends.',
      );
    }
    const held = JSON.stringify(holder);
    if (held !== broken) await takeOver(holder);
    broken = held;
  };
  const create = () =>
    takeLock(lock, text).catch((error: unknown) => {
      throw usageError(
        `cannot lock the journal ${journal}: ${systemReason(error)}`,
        onCommandLine(
          'Nothing was sent. Use --journal FILE with a file in a folder that exists and is writable.',
        ),
      );
    });
  for (let tryNumber = 1; !(await create()); tryNumber += 1) {
    await refuseIfHeld();
    if (tryNumber === maxTries) {
      const problem = `cannot lock the journal ${journal}: other processes keep locking it`;
      throw usageError(problem, 'Nothing was sent. Run the same command again.');
    }
    // Several processes may find an abandoned lock: one at a time checks again and removes it.
    await withLock(`${lock}.takeover`, async () => {
      await refuseIfHeld();
      await rm(lock, { force: true });
    });
  }
  return () => releaseLock(lock, text);
}

export async function journalHolder(
  journal: string,
  processes: Processes,
): Promise<Holder | undefined> {
  const holder = parseHolder(lockOwner(await lockPath(journal)));
  const isHeld = holder && (await isAlive(holder, await describeSelf(processes), processes));
  return isHeld ? holder : undefined;
}

/** Resolves links, so that every name of a journal leads to one lock. */
const lockPath = async (journal: string) => `${await realpath(journal).catch(() => journal)}.lock`;

const describeSelf = async ({ id }: Processes): Promise<Holder> => ({
  pid: id,
  host: hostname(),
  space: await pidNamespace(),
  began: await processStart(id),
  since: new Date().toISOString(),
});

async function waitForHolder(lock: string): Promise<Holder | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const text = lockOwner(lock);
    const holder = parseHolder(text);
    if (holder) return holder;
    await refuseForeignFile(lock, text);
    if (performance.now() > deadline) return undefined;
    await pause(20);
  }
}

/** A blank lock may still get its holder's name. Any other file is not a lock, and is not deleted. */
async function refuseForeignFile(lock: string, text: string): Promise<void> {
  const found = await lstat(lock).catch(() => undefined);
  // A power cut can leave zeros.
  const isBlank = found?.isFile() && /^\0*$/.test(text);
  if (!found || isBlank) return;
  throw usageError(`${lock} is not a lock file of mar`, moveAwayHint);
}

function parseHolder(text: string): Holder | undefined {
  const holder: Holder = Object(orUndefined(() => JSON.parse(text)));
  const { pid, host, since, space = '', began = '' } = holder;
  const isHolder =
    Number.isInteger(pid) &&
    pid > 0 &&
    pid <= maxPid &&
    [host, since, space, began].every((fact) => typeof fact === 'string');
  return isHolder ? holder : undefined;
}

/** On another machine, or in another container. */
const isElsewhere = (holder: Holder, self: Holder) =>
  holder.host !== self.host || holder.space !== self.space;

/** A process on another machine counts as running, since nobody here can know. */
async function isAlive(holder: Holder, self: Holder, processes: Processes): Promise<boolean> {
  if (isElsewhere(holder, self)) return true;
  if (!processes.isRunning(holder.pid)) return false;
  const began = await processStart(holder.pid);
  return began === undefined || holder.began === undefined || began === holder.began;
}

/** `process 17 on render-3, since 2026-11-16T09:00:00.000Z` */
export const describeHolder = ({ pid, host, since }: Holder) =>
  `process ${pid} on ${host}, since ${since}`;

const breakHint = 'If that process no longer runs, add --break-lock to take over its batch.';

/** Linux only: each container counts its processes from 1. */
const pidNamespace = () => readlink('/proc/self/ns/pid').catch(() => undefined);

/** Linux only: ticks since the machine booted, and the id of that boot. */
async function processStart(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie: it has ended, but its parent has not collected it.
    if (fields[0] === 'Z') return 'ended';
    const ticks = fields[19];
    return `${ticks} ${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}`;
  } catch {
    return undefined;
  }
}
