import { chmodSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { MarError, systemCode, usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { toPlain } from '../json/value.ts';
import { makeFolder } from './makeFolder.ts';
import { readRegularFile } from './regularFile.ts';
import { replaceFile } from './replaceFile.ts';

/**
 * A small JSON file that only its owner may read. Reading validates it. Readers never see a part of a
 * new version, and writers take turns, so none overwrites the change of another.
 */
export interface JsonFile<Content> {
  readonly path: string;
  read(): Content;
  update(change: (content: Content) => void): Promise<void>;
}

export function jsonFile<Content>(
  filePath: string,
  /** Describes what is invalid in the content, if anything. */
  problemOf: (content: unknown) => string | undefined,
  empty: Content,
): JsonFile<Content> {
  const read = () => {
    const text = readIfExists(filePath);
    return text === undefined
      ? structuredClone(empty)
      : (checked(filePath, text, problemOf) as Content);
  };
  return {
    path: filePath,
    read,
    async update(change) {
      makePrivateFolder(path.dirname(filePath));
      // Some users link their settings to another folder; the link stays.
      const target = linkTarget(filePath);
      // Late, because every command reads a JSON file, but few write one: 3 ms for node:crypto.
      const { withLock } = await import('./lock.ts');
      await withLock(`${filePath}.lock`, () => {
        const content = read();
        change(content);
        return write(target, `${JSON.stringify(content, null, 2)}\n`);
      });
    },
  };
}

function readIfExists(filePath: string): string | undefined {
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

async function write(filePath: string, text: string): Promise<void> {
  try {
    await replaceFile(filePath, text, { sync: true });
  } catch (error) {
    throw new MarError('usage', `cannot write ${filePath}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
