import { chmodSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { MarError, orUndefined, systemCode, usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { toPlain } from '../json/value.ts';
import { makeFolder } from './makeFolder.ts';
import { readRegularFile } from './regularFile.ts';
import { replaceFile } from './replaceFile.ts';
import { readReason, systemReason } from './systemReason.ts';

export type JsonFile<Content extends object> = ReturnType<typeof jsonFile<Content>>;

/**
 * A small JSON file that only its owner may read. Reading validates it. Readers never see a part of a
 * new version, and writers take turns, so none overwrites the change of another.
 */
export function jsonFile<Content extends object>(
  filePath: string,
  problemOf: (content: unknown) => string | undefined,
) {
  const read = (): Content => {
    const content = contentOf(filePath);
    const problem = problemOf(content);
    if (problem !== undefined) throw invalid(filePath, problem);
    return content as Content;
  };
  return {
    path: filePath,
    read,
    async update(change: (content: Content) => void): Promise<void> {
      makePrivateFolder(path.dirname(filePath));
      // Some users link their settings to another folder; the link stays.
      const target = orUndefined(() => realpathSync.native(filePath)) ?? filePath;
      // Late, because every command reads a JSON file, but few write one: 3 ms for node:crypto.
      const { withLock } = await import('./lock.ts');
      await withLock(`${filePath}.lock`, async () => {
        const content = read();
        change(content);
        const text = `${JSON.stringify(content, null, 2)}\n`;
        await replaceFile(target, text, { sync: true }).catch((error: Error) => {
          throw usageError(`cannot write ${target}: ${systemReason(error)}`, { cause: error });
        });
      });
    },
  };
}

function contentOf(filePath: string): unknown {
  try {
    return toPlain(parseJson(readRegularFile(filePath).toString()));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    if (error instanceof JsonSyntaxError) throw invalid(filePath, error.message);
    if (error instanceof MarError) throw error;
    throw usageError(`cannot read ${filePath}: ${readReason(error)}`, { cause: error });
  }
}

const invalid = (filePath: string, problem: string) =>
  usageError(`${filePath}: ${problem}`, 'Fix the file or move it away. mar does not overwrite it.');

function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder);
    chmodSync(folder, 0o700);
  } catch (error) {
    const hint = 'Set MAR_CONFIG_DIR to a folder that you can write to.';
    throw usageError(`cannot use the folder ${folder}: ${systemReason(error)}`, hint, {
      cause: error,
    });
  }
}
