import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';

/** For a folder of the user's own files; others are private. */
export const publicMode = 0o777;

/** Creates parents one by one: with `recursive`, `mkdir` never returns below `/proc` on Node 20. */
export function makeFolder(folder: string, mode = 0o700): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(path.resolve(folder));
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (systemCode(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

/** Throws if a parent is a file or may not be searched. */
function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
