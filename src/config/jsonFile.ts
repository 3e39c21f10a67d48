import { MarError, systemCode, usageError } from '../errors.ts';
import { readRegularFile } from '../files/readRegularFile.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { toPlain } from '../json/value.ts';

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
      // Most runs only read: what writing needs is loaded for writing.
      const { updatePrivateFile } = await import('./privateFile.ts');
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
