import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';

/**
 * Creates a folder and its missing parents, for their owner alone. Not `mkdir` with `recursive`:
 * Node 20 spins for ever where a parent cannot be created although it seems to be missing (`/proc/x`).
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let current = path.resolve(folder);
  while (!isFolder(current)) {
    missing.push(current);
    const parent = path.dirname(current);
    if (parent === current) break;
    current = parent;
  }
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, 0o700);
    } catch (error) {
      // Another process may have created it in the meantime.
      if (systemCode(error) !== 'EEXIST' || !isFolder(each)) throw error;
    }
  }
}

/** Throws where a parent is a file, or may not be looked into. */
function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
