import { lstat, open, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type MarError, systemCode, usageError } from '../errors.ts';
import { withLock } from '../files/lock.ts';
import { openRegularFile } from '../files/regularFile.ts';
import { systemReason } from '../files/systemReason.ts';

/** The processes of this machine, as far as a lock needs to know them. */
export interface Processes {
  /** This one's. */
  id: number;
  isRunning(id: number): boolean;
}

/** Who holds a lock. */
interface Holder {
  pid: number;
  /** Where that number means something: a machine, and in it a space of process numbers. */
  host: string;
  space?: string;
  /** When the process began: its number may be given to another one later. */
  began?: string;
  since: string;
}

/** Its owner writes its name into a lock right after it was made. */
const patienceMs = 500;
const mostAttempts = 5;
/** A lock that mar wrote is much shorter. */
const maxLockBytes = 4096;
/** Of the systems that mar runs on. */
const maxPid = 2 ** 31 - 1;

/** Keeps others away from a journal, until the function that it gives is called. */
export async function lockJournal(
  journal: string,
  processes: Processes,
): Promise<() => Promise<void>> {
  const lock = await lockOf(journal);
  const own = await ownName(processes);
  const text = JSON.stringify(own);
  for (let attempt = 1; !(await take(journal, lock, text)); attempt += 1) {
    await refuseIfHeld(lock, own, processes);
    if (attempt === mostAttempts) throw usageError(`cannot lock the journal ${journal}: others do`);
    // Several may find it left behind: one at a time looks again, and takes it away.
    await withLock(`${lock}.takeover`, async () => {
      await refuseIfHeld(lock, own, processes);
      await rm(lock, { force: true });
    });
  }
  return async () => {
    if ((await read(lock)) === text) await rm(lock, { force: true });
  };
}

/** Who runs a batch right now, if anybody does. */
export async function holderOfJournal(
  journal: string,
  processes: Processes,
): Promise<Holder | undefined> {
  const holder = parse(await read(await lockOf(journal)));
  return holder && (await isAlive(holder, await ownName(processes), processes))
    ? holder
    : undefined;
}

/** A journal by another name is the same one. */
const lockOf = async (journal: string) => `${await realpath(journal).catch(() => journal)}.lock`;

const ownName = async ({ id }: Processes): Promise<Holder> => ({
  pid: id,
  host: hostname(),
  space: await processSpace(),
  began: await beginningOf(id),
  since: new Date().toISOString(),
});

/** Who is so slow to write its name into it that others took it away does not hold it. */
async function take(journal: string, lock: string, text: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o600).catch((error: Error) => {
    if (systemCode(error) !== 'EEXIST') throw cannotLock(journal, error);
  });
  if (!file) return false;
  try {
    await file.writeFile(text);
    return (await read(lock)) === text;
  } catch (error) {
    await rm(lock, { force: true });
    throw cannotLock(journal, error);
  } finally {
    await file.close();
  }
}

const cannotLock = (journal: string, error: unknown) =>
  usageError(
    `cannot lock the journal ${journal}: ${systemReason(error)}`,
    'nothing was sent; name a journal in another folder with --journal',
  );

/** What a lock holds; nothing of a file that is no lock. */
async function read(lock: string): Promise<string> {
  const handle = await openRegularFile(lock).catch(() => undefined);
  if (!handle) return '';
  try {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(maxLockBytes) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function refuseIfHeld(lock: string, own: Holder, processes: Processes): Promise<void> {
  const holder = await holderOf(lock);
  if (holder && (await isAlive(holder, own, processes))) throw held(lock, holder, own);
}

async function holderOf(lock: string): Promise<Holder | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const text = await read(lock);
    const holder = parse(text);
    if (holder) return holder;
    await refuseForeign(lock, text);
    if (performance.now() > deadline) return undefined;
    await pause(20);
  }
}

/** A lock without a name in it may get one; what is no lock at all is neither waited for nor deleted. */
async function refuseForeign(lock: string, text: string): Promise<void> {
  const found = await lstat(lock).catch(() => undefined);
  // A power cut can leave zeros.
  const isBlank = found?.isFile() && /^\0*$/.test(text);
  if (!found || isBlank) return;
  throw usageError(
    `${lock} is not a lock of mar`,
    'Nothing was sent. Move it away, or name another journal with --journal.',
  );
}

function parse(text: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(text);
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, since, space, began } = value as Record<string, unknown>;
  return (
    Number.isInteger(pid) &&
    Number(pid) > 0 &&
    Number(pid) <= maxPid &&
    typeof host === 'string' &&
    typeof since === 'string' &&
    [space, began].every((text) => text === undefined || typeof text === 'string')
  );
}

/** Of a process on another machine nothing is known: it may well be running. */
async function isAlive(holder: Holder, own: Holder, processes: Processes): Promise<boolean> {
  if (holder.host !== own.host || holder.space !== own.space) return true;
  if (!processes.isRunning(holder.pid)) return false;
  const began = await beginningOf(holder.pid);
  return began === undefined || holder.began === undefined || began === holder.began;
}

function held(lock: string, { pid, host, since }: Holder, own: Holder): MarError {
  const where = host === own.host ? '' : ` on ${host}`;
  return usageError(
    `this batch is being run by process ${pid}${where}, since ${since}`,
    `wait for it to end; if it is not running any more, delete ${lock}`,
  );
}

/** On Linux: containers count their processes each from 1. */
const processSpace = () => readlink('/proc/self/ns/pid').catch(() => undefined);

/** On Linux: ticks since the machine was started, and which start of it that was. */
async function beginningOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // It has ended, and nobody has asked yet how.
    if (facts[0] === 'Z') return 'ended';
    const ticks = facts[19];
    return `${ticks} ${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()}`;
  } catch {
    return undefined;
  }
}
