import { lstatSync } from 'node:fs';
import path from 'node:path';
import { isOwn, ownFolder } from '../../bin/compiled.js';
import type * as installed from '../core/credentials/keychain/packaging.ts';
import { orUndefined } from '../core/errors.ts';
import { readRegularFile } from '../core/files/regularFile.ts';
import { replaceFile } from '../core/files/replaceFile.ts';

/* The one-file program's version of credentials/keychain/packaging.ts. */

/** A name of the process, not an argument, so that nothing a user types can start it. */
export const childName = 'mar-keychain-child';

export const childStart: typeof installed.childStart = () => ({ args: [], argv0: childName });

/** A system loads libraries only from files, so the embedded one is written to the user's own folder. */
export const loadLibrary: typeof installed.loadLibrary = async () => {
  const { getRawAsset } = await import('node:sea');
  const folder = ownFolder();
  if (!folder)
    throw new Error('it needs a folder that only you can write to; set MAR_CACHE_DIR to one');
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
  // The owner too: anybody else could change the file after it was compared.
  const isIntact = () => isOwn(lstatSync(file)) && readRegularFile(file).equals(content);
  if (orUndefined(isIntact)) return file;
  await replaceFile(file, content);
  return file;
}
