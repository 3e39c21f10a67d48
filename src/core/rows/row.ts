import { mayHoldSecret } from '../api/secretFields.ts';
import { type FieldFacts, type RowProblem, usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { extendPath } from '../json/path.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { expectedRecord } from '../records/document.ts';
import { plural } from '../values/numbers.ts';

/** The column or field that `--rejects` adds. It is never sent, nor part of a row's identity. */
export const reasonColumn = '_reason';

/** A row as it is in the file: the text of its JSON, or its cells and the names of their columns. */
export type OriginalRow =
  | { text: string }
  | (TableRecord & { names: readonly string[]; separator: string });

/** How a table is read: by the flags --encoding, --sheet and --hidden, the last two of a workbook. */
export interface SheetChoice {
  encoding?: string;
  sheet?: string;
  hidden?: 'include' | 'skip';
  /** The flag that names the file, if it is not --batch. */
  flag?: string;
}

/** A row of a table, or its header. */
export interface TableRecord {
  /** The line of the file (a quoted cell of CSV may span several), or the row of the sheet. */
  line: number;
  cells: readonly string[];
  /** Of a workbook: what the cells hold, and why some of them cannot be used. */
  values?: readonly (string | number | boolean | Date | null | undefined)[];
  problems?: ReadonlyMap<number, string>;
}

export interface Row {
  /** Counted from 1, without empty lines and the header. */
  number: number;
  line: number;
  original: OriginalRow;
  read(reading?: RowReading): JsonObject;
  /** Its fields by their paths, with their values; dates are not converted. */
  fields(): RowField[];
  /** `C7`: where a workbook has a field. */
  cellOf?(path: string): string | undefined;
}

/** Findings about a row while it was read. */
export interface RowReading {
  translated: Translation[];
  problems: Problem[];
}

export type Problem = Omit<RowProblem, 'row' | 'line'>;

/** Text of a file that `mar` reads as something else: French as fra. */
export interface Translation {
  field: string;
  from: string;
  to: string;
}

export type RowField = readonly [path: string, value: Json];

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

/** A record whose fields are under those of each row of a batch. */
export interface RowTemplate {
  /** Tells one template from another when a batch is resumed. */
  change: string;
  /** Puts the fields of the template under those of a row. */
  apply(record: JsonObject): void;
  /** After the flags: removes what only the template's values needed. */
  finish(record: JsonObject): void;
  check(record: JsonObject): Problem[];
  /** After all checks: what a user on a terminal has to confirm, about all rows. */
  readonly warning?: { message: string; fields: readonly FieldFacts[] };
}
