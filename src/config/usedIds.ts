import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MarError, systemCode } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { appendToFile, readRegularFile } from '../files/regularFile.ts';
import { replaceFileSync } from '../files/replaceFile.ts';
import { sanitise } from '../terminal/sanitise.ts';

/** An id that a user has used, for Tab to offer again. */
export interface UsedId {
  /** The service that knows it: those of one mean nothing to another. */
  origin: string;
  resource: string;
  id: string;
  /** What it is called, where that is known. */
  name: string;
}

/** Of each resource of each service, this many are kept. */
const most = 300;
const mostOfAll = 2000;
const longestName = 80;
/** New ones are written behind the others until there is this much of them. */
const largestLog = 32 * 1024;

/** The newest ones as they came, those that are about to be kept, and the kept ones, each once. */
const filesIn = (folder: string) => ({
  log: path.join(folder, 'used-ids.new.jsonl'),
  moved: path.join(folder, 'used-ids.moved.jsonl'),
  kept: path.join(folder, 'used-ids.jsonl'),
});

/**
 * Remembers ids, the last one as the most recent. Each run writes one piece behind what is there, so
 * that none waits for another. Where it cannot be written, nothing is remembered.
 */
export async function rememberIds(folder: string, used: readonly UsedId[]): Promise<void> {
  const lines = used.filter(isUsable).map((one) => `${lineOf(one)}\n`);
  if (lines.length === 0) return;
  try {
    if (append(folder, lines.join('')) > largestLog) await compact(folder);
  } catch (error) {
    // A full disk, a folder that is not ours: no reason to fail a command that did its work.
    if (!(error instanceof MarError) && systemCode(error) === undefined) throw error;
  }
}

/** The ids of a resource of a service, the most recent first. */
export function usedIds(folder: string, { origin, resource }: Omit<UsedId, 'id' | 'name'>) {
  const { log, moved, kept } = filesIn(folder);
  return newestFirst([log, moved, kept]).filter(
    (one) => one.origin === origin && one.resource === resource,
  );
}

export function forgetIds(folder: string): void {
  for (const file of Object.values(filesIn(folder))) {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // Where there is no folder, there is nothing to forget.
      if (systemCode(error) !== 'ENOTDIR') throw error;
    }
  }
}

/** An id that would be read as a flag, or that a terminal would act on, is not offered. */
const isUsable = ({ id }: UsedId) => id !== '' && !id.startsWith('-') && sanitise(id) === id;

const lineOf = ({ origin, resource, id, name }: UsedId) =>
  JSON.stringify([origin, resource, id, [...name].slice(0, longestName).join('')]);

/** Gives back how much there is now. */
function append(folder: string, text: string): number {
  const { log } = filesIn(folder);
  try {
    return appendToFile(log, text);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    makeFolder(folder);
    return appendToFile(log, text);
  }
}

/**
 * Puts the new ones to the kept ones, and begins a new log. What is moved away stays until it is
 * among the kept ones: a run that is killed in between loses nothing.
 */
async function compact(folder: string): Promise<void> {
  const { log, moved, kept } = filesIn(folder);
  const { withLock } = await import('../files/lock.ts');
  await withLock(`${log}.lock`, async () => {
    if (!existsSync(moved)) renameSync(log, moved);
    const lines = newestFirst([moved, kept]).reverse().map(lineOf);
    replaceFileSync(kept, `${lines.join('\n')}\n`);
    rmSync(moved, { force: true });
  });
}

/** Each once, from files of which the newest comes first. */
function newestFirst(files: readonly string[]): UsedId[] {
  const lines = files.flatMap((file) => readIfThere(file).split('\n').reverse());
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const found: UsedId[] = [];
  for (const one of lines.map(parseLine)) {
    if (!one || !isUsable(one)) continue;
    const kind = JSON.stringify([one.origin, one.resource]);
    const count = counts.get(kind) ?? 0;
    const key = `${kind} ${one.id}`;
    if (seen.has(key) || count >= most || found.length >= mostOfAll) continue;
    seen.add(key);
    counts.set(kind, count + 1);
    found.push(one);
  }
  return found;
}

function readIfThere(file: string): string {
  try {
    return readRegularFile(file).toString();
  } catch {
    return '';
  }
}

/** A line that is not whole, or not ours, is passed over. */
function parseLine(line: string): UsedId | undefined {
  try {
    const parts: unknown = JSON.parse(line);
    if (!Array.isArray(parts)) return undefined;
    const [origin = '', resource = '', id = '', name = ''] = parts.map(String);
    return { origin, resource, id, name };
  } catch {
    return undefined;
  }
}
