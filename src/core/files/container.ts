import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { orUndefined, usageError } from '../errors.ts';
import { readReason } from './systemReason.ts';

export const isArchive = (word: string) => /\.zip$/i.test(word);

/** True for a folder and for the name of an archive. */
export const isContainer = (word: string) =>
  isArchive(word) || (word !== '-' && orUndefined(() => statSync(word))?.isDirectory() === true);

/** Files of systems and programs, which nobody puts there on purpose. */
const hidden = /(?:^|[/\\])(?:\.|__MACOSX[/\\]|Thumbs\.db$|desktop\.ini$)|\.orig$/i;

/** The files in a folder or archive by their path there. Those of a folder are on the disk. */
export async function openContainer(word: string, maxBytes: number) {
  const found = isArchive(word)
    ? await (await import('./zip.ts')).openZip(word, maxBytes)
    : { names: filesIn(word), read: undefined };
  return { ...found, names: found.names.filter((name) => !hidden.test(name)).sort() };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  } catch (error) {
    throw usageError(`cannot read ${folder}: ${readReason(error)}`);
  }
}
