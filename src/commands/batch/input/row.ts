import { mayHoldSecret } from '../../../api/secrets.ts';
import { usageError } from '../../../errors.ts';
import { JsonSyntaxError, parseJson } from '../../../json/parse.ts';
import { extendPath } from '../../../json/path.ts';
import { isObject, type Json, type JsonObject } from '../../../json/value.ts';
import { expectedRecord } from '../../../records/document.ts';
import { plural } from '../../../values/numbers.ts';

/** The column or field that `--rejects` adds. It is never sent, nor part of a row's identity. */
export const reasonColumn = '_reason';

/** A row as it is in the file: the text of its JSON, or its cells and the names of their columns. */
export type OriginalRow =
  | { text: string }
  | { names: readonly string[]; cells: readonly string[]; separator: string };

export interface Row {
  /** Counted from 1, without empty lines and the header. */
  number: number;
  line: number;
  original: OriginalRow;
  read(): JsonObject;
  /** Its fields by their paths, with their values; dates are not converted. */
  fields(): RowField[];
}

export type RowField = readonly [path: string, value: Json];

/** Far more than a record has. A longer row usually lacks a closing quote or bracket. */
const maxRowCharacters = 32_000_000;

/** The parts of a row that spans several chunks, joined once when the row ends. */
export class PendingRow {
  readonly #name: string;
  #parts: string[] = [];
  #length = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(part: string, line: number, hint?: string): void {
    this.#length += part.length;
    if (this.#length > maxRowCharacters) {
      const limit = maxRowCharacters / 1_000_000;
      throw usageError(
        `${this.#name}, line ${line}: this row is too long; the limit is ${limit} million characters`,
        hint,
      );
    }
    if (part !== '') this.#parts.push(part);
  }

  take(): string {
    const row = this.takePart();
    this.#length = 0;
    return row;
  }

  /** Takes a cell, which still counts towards the length of its row. */
  takePart(): string {
    const part = this.#parts.length === 1 ? (this.#parts[0] as string) : this.#parts.join('');
    this.#parts = [];
    this.#length += 1;
    return part;
  }
}

/** The fields of a record and of the objects in it. Other values and lists are whole. */
function leafFields(record: JsonObject, path = ''): RowField[] {
  return [...record].flatMap(([key, value]): readonly RowField[] => {
    const own = extendPath(path, key);
    return isObject(value) && value.size > 0 ? leafFields(value, own) : [[own, value]];
  });
}

export const jsonRow = (content: string): Pick<Row, 'original' | 'read' | 'fields'> => ({
  original: { text: content },
  read: () => readJsonRow(content),
  fields: () => leafFields(readJsonRow(content)),
});

function readJsonRow(content: string): JsonObject {
  try {
    const json = parseJson(content);
    if (isObject(json)) {
      json.delete(reasonColumn);
      return json;
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { reason, line, column, near } = error;
    const place =
      line === 1 ? `column ${column}` : `${plural(line - 1, 'line')} below, column ${column}`;
    const text = near === '' || mayHoldSecret(content) ? '' : `, near "${near}"`;
    throw usageError(`${reason}, at ${place}${text}`);
  }
  throw usageError(expectedRecord);
}
