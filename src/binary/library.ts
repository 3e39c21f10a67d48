import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getRawAsset } from 'node:sea';
import { ownFolder } from '../../bin/compiled.js';
import type { loadLibrary as installed } from '../credentials/keychain/library.ts';

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
  // Whole or not at all: another run may be reading.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
  removeOthers(file);
  return file;
}

function holds(file: string, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/** What other versions, and runs that were killed, left behind. Who has loaded one keeps it. */
function removeOthers(file: string): void {
  const folder = path.dirname(file);
  for (const name of readdirSync(folder)) {
    const isOther = /^keyring-[0-9a-f]{32}\.node/.test(name) && name !== path.basename(file);
    if (isOther) rmSync(path.join(folder, name), { force: true });
  }
}
