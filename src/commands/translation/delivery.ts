import path from 'node:path';
import { usageError } from '../../errors.ts';
import { isContainer, openContainer } from '../../files/container.ts';
import type { Reporter } from '../../output/reporter.ts';
import { formatNamed, maxFileBytes } from '../../subtitles/index.ts';

/** A subtitle file of a folder or archive. */
export interface DeliveredFile {
  /** Its path in the folder or archive. */
  within: string;
  /** Absent for a file on disk. */
  read?(): Promise<Uint8Array>;
}

const maxNamed = 5;

/** Replaces folders and archives by the subtitle files in them. Warns about other files there. */
export async function openDelivery(reporter: Reporter, words: readonly string[]) {
  const files = new Map<string, DeliveredFile | undefined>();
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closers) await one();
  };
  for (const word of words) {
    if (!isContainer(word)) {
      files.set(word, undefined);
      continue;
    }
    const { names, read, close: closeOne } = await openContainer(word, maxFileBytes);
    if (closeOne) closers.push(closeOne);
    const others = names.filter((name) => !formatNamed(name));
    if (others.length === names.length) {
      await close();
      throw usageError(`${word} has no subtitle files`);
    }
    for (const within of names.filter(formatNamed)) {
      files.set(path.join(word, within), { within, read: read && (() => read(within)) });
    }
    if (others.length > 0) {
      const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : '';
      const list = others.slice(0, maxNamed).join(', ') + more;
      reporter.warn('not-subtitles', `${word}: not read, because they have other formats: ${list}`);
    }
  }
  return { names: [...files.keys()], files, close };
}
