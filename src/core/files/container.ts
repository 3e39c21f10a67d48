import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { orUndefined, usageError } from '../errors.ts';
import { readReason } from './systemReason.ts';

export const isArchive = (word: string) => /\.zip$/i.test(word);

export const isFolder = (word: string) => orUndefined(() => statSync(word))?.isDirectory() === true;

/** True for a folder and for the name of an archive. */
export const isContainer = (word: string) => isArchive(word) || (word !== '-' && isFolder(word));

/** Files of systems and programs, which nobody puts there on purpose. */
const hidden =
  /(?:^|[/\\])(?:\.|__MACOSX[/\\]|Thumbs\.db$|desktop\.ini$)|\.orig$|\.mar-journal(?:\.\w+)?$/i;

/** The files in a folder or archive by their path there. Those of a folder are on the disk. */
export async function openContainer(word: string, maxBytes: number) {
  if (!isArchive(word)) return { names: filesIn(word), read: undefined };
  const { openZip } = await import('./zip.ts');
  const { names, read } = await openZip(word, maxBytes);
  return { names: visible(names), read };
}

const visible = (names: readonly string[]) => names.filter((name) => !hidden.test(name)).sort();

/** By their path in the folder. */
export function filesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    return visible(files);
  } catch (error) {
    throw usageError(`cannot read ${folder}: ${readReason(error)}`);
  }
}
