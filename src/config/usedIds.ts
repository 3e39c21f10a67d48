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
}

const maxIdsPerResource = 300;
const maxIds = 2000;
const maxNameLength = 80;
const maxLogBytes = 32 * 1024;

/**
 * From the newest ids to the oldest. New ids are appended to the log. A log that has grown too large
 * is moved, and then merged into the kept ids, which hold each id once.
 */
const filesIn = (folder: string) => ({
  log: path.join(folder, 'used-ids.new.jsonl'),
  moved: path.join(folder, 'used-ids.moved.jsonl'),
  kept: path.join(folder, 'used-ids.jsonl'),
});

/** The last id is the most recent. Each run appends with one write, so none waits for another. */
export async function rememberIds(folder: string, used: readonly UsedId[]): Promise<void> {
  const lines = used.filter(isUsable).map((one) => `${lineOf(one)}\n`);
  if (lines.length === 0) return;
  try {
    if (append(folder, lines.join('')) > maxLogBytes) await compact(folder);
  } catch (error) {
    // A full disk or a read-only folder must not fail a command that did its work.
    if (!(error instanceof MarError) && systemCode(error) === undefined) throw error;
  }
}

export function usedIds(folder: string, { origin, resource }: Omit<UsedId, 'id' | 'name'>) {
  const ids = newestFirst(Object.values(filesIn(folder)));
  return ids.filter((one) => one.origin === origin && one.resource === resource);
}

export function forgetIds(folder: string): void {
  for (const file of Object.values(filesIn(folder))) {
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

const lineOf = ({ origin, resource, id, name }: UsedId) =>
  JSON.stringify([origin, resource, id, [...name].slice(0, maxNameLength).join('')]);

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

/** The moved log stays until its ids are kept, so that a run that is killed loses nothing. */
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

/** Each id once, from files in the order newest to oldest. */
function newestFirst(files: readonly string[]): UsedId[] {
  const lines = files.flatMap((file) => linesOf(file).reverse());
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const found: UsedId[] = [];
  for (const one of lines.map(parseLine)) {
    if (!one || !isUsable(one)) continue;
    const kind = JSON.stringify([one.origin, one.resource]);
    const count = counts.get(kind) ?? 0;
    const key = `${kind} ${one.id}`;
    if (seen.has(key) || count >= maxIdsPerResource || found.length >= maxIds) continue;
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
    const [origin = '', resource = '', id = '', name = ''] = parts.map(String);
    return { origin, resource, id, name };
  } catch {
    return undefined;
  }
}
