import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { appendToFile, readRegularFile } from '../files/regularFile.ts';
import { replaceFileSync } from '../files/replaceFile.ts';
import { sanitise } from '../terminal/sanitise.ts';

export interface UsedId {
  origin: string;
  resource: string;
  id: string;
  name: string;
  /** Milliseconds since 1970. Absent in files of earlier versions. */
  usedAt?: number;
}

/** Names of users are kept apart: lists name many more users than people use. */
export type IdStore = 'used-ids' | 'known-users';
const stores: Readonly<Record<IdStore, { maxPerResource: number }>> = {
  'used-ids': { maxPerResource: 300 },
  'known-users': { maxPerResource: 1000 },
};
const maxIds = 2000;
const maxNameLength = 80;
const maxLogBytes = 32 * 1024;

/**
 * From the newest ids to the oldest. New ids are appended to the log. A log that has grown too large
 * is moved, and then merged into the kept ids, which hold each id once.
 */
const filesIn = (folder: string, store: IdStore) => ({
  log: path.join(folder, `${store}.new.jsonl`),
  moved: path.join(folder, `${store}.moved.jsonl`),
  kept: path.join(folder, `${store}.jsonl`),
});

/** The last id is the most recent. Each run appends with one write, so none waits for another. */
export async function rememberIds(
  folder: string,
  used: readonly UsedId[],
  store: IdStore = 'used-ids',
): Promise<void> {
  const lines = used.filter(isUsable).map((one) => `${lineOf(one)}\n`);
  if (lines.length === 0) return;
  try {
    if (append(folder, lines.join(''), store) > maxLogBytes) await compact(folder, store);
  } catch (error) {
    // A full disk or a read-only folder must not fail a command that did its work.
    if (!(error instanceof MarError) && systemCode(error) === undefined) throw error;
  }
}

/** From the most recent to the oldest: of one resource, or of all. */
export function usedIds(
  folder: string,
  { origin, resource }: { origin: string; resource?: string },
  store: IdStore = 'used-ids',
): UsedId[] {
  const ids = newestFirst(Object.values(filesIn(folder, store)), store);
  return ids.filter(
    (one) => one.origin === origin && (resource === undefined || one.resource === resource),
  );
}

/** The names of users at a service, by their ids. */
export const knownUsers = (folder: string, origin: string): ReadonlyMap<string, string> =>
  new Map(
    usedIds(folder, { origin, resource: 'User' }, 'known-users').map(({ id, name }) => [id, name]),
  );

export function forgetIds(folder: string): void {
  const names = Object.keys(stores) as IdStore[];
  for (const file of names.flatMap((store) => Object.values(filesIn(folder, store)))) {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // Without a folder, there is nothing to forget.
      if (systemCode(error) !== 'ENOTDIR') throw error;
    }
  }
}

/** Leaves out ids that look like a flag, and those with control characters. */
const isUsable = ({ id }: UsedId) => id !== '' && !id.startsWith('-') && sanitise(id) === id;

/** The time comes last, and earlier versions ignore it. */
const lineOf = ({ origin, resource, id, name, usedAt }: UsedId) => {
  const line = [origin, resource, id, [...name].slice(0, maxNameLength).join('')];
  return JSON.stringify(usedAt === undefined ? line : [...line, usedAt]);
};

function append(folder: string, text: string, store: IdStore): number {
  const { log } = filesIn(folder, store);
  try {
    return appendToFile(log, text);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    makeFolder(folder);
    return appendToFile(log, text);
  }
}

/** The moved log stays until its ids are kept, so that a run that is killed loses nothing. */
async function compact(folder: string, store: IdStore): Promise<void> {
  const { log, moved, kept } = filesIn(folder, store);
  const { withLock } = await import('../files/lock.ts');
  await withLock(`${log}.lock`, async () => {
    if (!existsSync(moved)) renameSync(log, moved);
    const lines = newestFirst([moved, kept], store).reverse().map(lineOf);
    replaceFileSync(kept, `${lines.join('\n')}\n`);
    rmSync(moved, { force: true });
  });
}

/** Each id once, from files in the order newest to oldest. */
function newestFirst(files: readonly string[], store: IdStore): UsedId[] {
  const { maxPerResource } = stores[store];
  const lines = files.flatMap((file) => linesOf(file).reverse());
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const found: UsedId[] = [];
  for (const one of lines.map(parseLine)) {
    if (!one || !isUsable(one)) continue;
    const kind = JSON.stringify([one.origin, one.resource]);
    const count = counts.get(kind) ?? 0;
    const key = `${kind} ${one.id}`;
    if (seen.has(key) || count >= maxPerResource || found.length >= maxIds) continue;
    seen.add(key);
    counts.set(kind, count + 1);
    found.push(one);
  }
  return found;
}

function linesOf(file: string): string[] {
  try {
    return readRegularFile(file).toString().split('\n');
  } catch {
    return [];
  }
}

function parseLine(line: string): UsedId | undefined {
  try {
    const parts: unknown = JSON.parse(line);
    if (!Array.isArray(parts)) return undefined;
    const [origin = '', resource = '', id = '', name = ''] = parts.slice(0, 4).map(String);
    const usedAt = Number.isSafeInteger(parts[4]) ? Number(parts[4]) : undefined;
    return { origin, resource, id, name, usedAt };
  } catch {
    return undefined;
  }
}
