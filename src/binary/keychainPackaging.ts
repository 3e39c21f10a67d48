import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isOwn, ownFolder } from '../../bin/compiled.js';
import type * as installed from '../credentials/keychain/packaging.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { replaceFileSync } from '../files/replaceFile.ts';

/*
 * The one-file program's version of credentials/keychain/packaging.ts.
 */

/**
 * The name under which the program starts itself as the process around the keychain library. A name,
 * not an argument, so that nothing a user types can start it.
 */
export const childName = 'mar-keychain-child';

export const childStart: typeof installed.childStart = () => ({ args: [], argv0: childName });

/**
 * The library is embedded in the program. A system loads libraries only from files, so it is written
 * to a folder that only its owner can write to.
 */
export const loadLibrary: typeof installed.loadLibrary = async () => {
  const { getRawAsset } = await import('node:sea');
  const folder = ownFolder();
  if (!folder) throw new Error('no folder of your own to load it from; MAR_CACHE_DIR may name one');
  const file = await extract(Buffer.from(getRawAsset('keyring.node') as ArrayBuffer), folder);
  const library = { exports: {} };
  process.dlopen(library, file);
  return library.exports as Awaited<ReturnType<typeof installed.loadLibrary>>;
};

/** Returns a file with exactly this content. A file of an earlier run is compared, not trusted. */
async function extract(content: Buffer, folder: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const file = path.resolve(folder, `keyring-${hash}.node`);
  if (isIntact(file, content)) return file;
  replaceFileSync(file, content);
  removeOthers(file);
  return file;
}

/** Checks the owner too: anybody else could change the file after it was compared. */
function isIntact(file: string, content: Buffer): boolean {
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

/** Removes files of runs that were killed. A newer file may belong to a run that is still writing. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const isUnfinished = /^\.mar-.*\.tmp$/.test(name);
    const found = isUnfinished ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (found && Date.now() - found.mtimeMs > dayMs) rmSync(file, { force: true });
  }
}
