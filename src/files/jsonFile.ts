import { chmodSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { MarError, systemCode, usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { toPlain } from '../json/value.ts';
import { makeFolder } from './makeFolder.ts';
import { readRegularFile } from './regularFile.ts';
import { replaceFile } from './replaceFile.ts';

/**
 * A small JSON file that only its owner may read. It is checked when read and never half written;
 * writers take turns, so none undoes what another has just written.
 */
export interface JsonFile<Content> {
  readonly path: string;
  read(): Content;
  /** Reads, changes and writes; nobody else writes in between. */
  update(change: (content: Content) => void): Promise<void>;
}

export function jsonFile<Content>(
  filePath: string,
  /** What is wrong with a content, if anything. */
  problemOf: (content: unknown) => string | undefined,
  empty: Content,
): JsonFile<Content> {
  const read = () => {
    const text = readIfThere(filePath);
    return text === undefined
      ? structuredClone(empty)
      : (checked(filePath, text, problemOf) as Content);
  };
  return {
    path: filePath,
    read,
    async update(change) {
      await updatePrivateFile(filePath, () => {
        const content = read();
        change(content);
        return `${JSON.stringify(content, null, 2)}\n`;
      });
    },
  };
}

function readIfThere(filePath: string): string | undefined {
  try {
    return readRegularFile(filePath).toString();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof MarError) throw error;
    throw usageError(`cannot read ${filePath}: ${(error as Error).message}`);
  }
}

function checked(
  filePath: string,
  text: string,
  problemOf: (content: unknown) => string | undefined,
): unknown {
  const hint = 'mend it or move it away; mar does not write over it';
  let content: unknown;
  try {
    content = toPlain(parseJson(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw usageError(`${filePath}: ${error.message}`, hint);
  }
  const problem = problemOf(content);
  if (problem !== undefined) throw usageError(`${filePath}: ${problem}`, hint);
  return content;
}

/**
 * Writes a file that only its owner may read. `make` says what to write; while it runs nobody else
 * writes, and whoever reads the file sees the old content or the new, whole.
 */
async function updatePrivateFile(filePath: string, make: () => string): Promise<void> {
  makePrivateFolder(path.dirname(filePath));
  // A link, as people make who keep their settings in one place, stays a link.
  const target = linkTarget(filePath);
  // Every command reads a JSON file, few write one, and the lock loads node:crypto: 3 ms.
  const { withLock } = await import('./lock.ts');
  await withLock(`${filePath}.lock`, () => replace(target, make()));
}

function linkTarget(filePath: string): string {
  try {
    return realpathSync.native(filePath);
  } catch {
    return filePath;
  }
}

function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new MarError('usage', `cannot use the folder ${folder}: ${(error as Error).message}`, {
      hint: 'set MAR_CONFIG_DIR to a folder of your own',
      cause: error,
    });
  }
}

async function replace(filePath: string, text: string): Promise<void> {
  try {
    await replaceFile(filePath, text, { sync: true });
  } catch (error) {
    throw new MarError('usage', `cannot write ${filePath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
