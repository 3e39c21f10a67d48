import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';

/** Creates parents one by one: with `recursive`, `mkdir` never returns below `/proc` on Node 20. */
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

/** Throws if a parent is a file or may not be searched. */
function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
