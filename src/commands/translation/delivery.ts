import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { orUndefined, usageError } from '../../errors.ts';
import { readReason } from '../../files/systemReason.ts';
import type { Reporter } from '../../output/reporter.ts';
import { formatNamed, maxFileBytes } from '../../subtitles/index.ts';

/** A subtitle file of a folder or archive. */
export interface DeliveredFile {
  /** Its path in the folder or archive. */
  within: string;
  /** Undefined for a file on disk. */
  read?(): Promise<Uint8Array>;
}

const isArchive = (word: string) => /\.zip$/i.test(word);
const isFolder = (word: string) =>
  word !== '-' && orUndefined(() => statSync(word))?.isDirectory() === true;
export const holdsFiles = (word: string) => isArchive(word) || isFolder(word);

/** Files of systems and programs, which nobody delivers on purpose. */
const hidden = /(?:^|[/\\])(?:\.|__MACOSX[/\\]|Thumbs\.db$|desktop\.ini$)|\.orig$/i;

/** Replaces folders and archives by the subtitle files in them. Reports the others that they hold. */
export async function openDelivery(reporter: Reporter, words: readonly string[]) {
  const files = new Map<string, DeliveredFile>();
  const names: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const add = (word: string, within: string, read?: DeliveredFile['read']) => {
    const name = path.join(word, within);
    names.push(name);
    files.set(name, { within, read });
  };
  for (const word of words) {
    if (!holdsFiles(word)) {
      names.push(word);
      continue;
    }
    const zip = isArchive(word) ? await archiveAt(word) : undefined;
    if (zip) closers.push(zip.close);
    const held = (zip?.names ?? filesIn(word)).filter((name) => !hidden.test(name)).sort();
    const own = held.filter((name) => formatNamed(name));
    for (const name of own) add(word, name, zip && (() => zip.read(name)));
    const others = held.filter((name) => !formatNamed(name));
    if (own.length === 0) throw usageError(`${word} has no subtitle files`);
    if (others.length > 0) {
      const more = others.length > 5 ? ` and ${others.length - 5} more` : '';
      const list = others.slice(0, 5).join(', ') + more;
      reporter.warn('not-subtitles', `${word}: not read, because they have other formats: ${list}`);
    }
  }
  const close = async () => {
    for (const one of closers) await one();
  };
  return { names, files, close };
}

async function archiveAt(file: string) {
  const { openZip } = await import('../../files/zip.ts');
  return openZip(file, maxFileBytes);
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
