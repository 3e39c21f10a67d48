import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { getRawAsset } from 'node:sea';
import { isOwn, ownFolder } from '../../bin/compiled.js';
import type { loadLibrary as installed } from '../credentials/keychain/library.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { replaceFileSync } from '../files/replaceFile.ts';

/**
 * In place of credentials/keychain/library.ts: the library is carried inside the program. The system
 * loads libraries from files alone, so it is put into a folder that only its owner may write.
 */
export const loadLibrary: typeof installed = async () => {
  const folder = ownFolder();
  if (!folder) throw new Error('no folder of your own to load it from; MAR_CACHE_DIR may name one');
  const file = keep(Buffer.from(getRawAsset('keyring.node') as ArrayBuffer), folder);
  const library = { exports: {} };
  process.dlopen(library, file);
  return library.exports as Awaited<ReturnType<typeof installed>>;
};

/** A file with this content and no other: what an earlier run left is compared, not trusted. */
function keep(content: Buffer, folder: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const file = path.resolve(folder, `keyring-${hash}.node`);
  if (holds(file, content)) return file;
  replaceFileSync(file, content);
  removeOthers(file);
  return file;
}

/** Its owner could change it after it was compared. */
function holds(file: string, content: Buffer): boolean {
  try {
    return isOwn(lstatSync(file)) && readRegularFile(file).equals(content);
  } catch {
    return false;
  }
}

/** Removes libraries of other versions; a process that has loaded one keeps it. */
function removeOthers(file: string): void {
  const folder = path.dirname(file);
  for (const name of readdirSync(folder)) {
    const isOther = /^keyring-[0-9a-f]{32}\.node/.test(name) && name !== path.basename(file);
    if (isOther) rmSync(path.join(folder, name), { force: true });
  }
  removeUnfinished(folder);
}

const dayMs = 24 * 3600 * 1000;

/** Removes files of runs that were killed; a newer one may be of a run that is still writing. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const isUnfinished = /^\.mar-.*\.tmp$/.test(name);
    const found = isUnfinished ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (found && Date.now() - found.mtimeMs > dayMs) rmSync(file, { force: true });
  }
}
