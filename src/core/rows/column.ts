import { orUndefined, usageError } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import { parseJson } from '../json/parse.ts';
import { readFile } from '../records/document.ts';
import { headingWord } from './headings.ts';
import type { Row, TableRecord } from './row.ts';
import { readContent } from './rows.ts';
import { locateErrors } from './tableRows.ts';

/**
 * The values of a list: those of the first of these columns that a table has, or of the first of these
 * fields of JSON records, or the strings of a JSON array. A list with one value on each line needs no header. Empty cells are left out.
 */
export async function readColumn(
  flag: string,
  file: string,
  names: readonly string[],
): Promise<string[]> {
  const { rows, records } = await readListFile(flag, file);
  return rows ? inJson([...rows], file, names) : inTable([...records], file, names);
}

/** The rows of a JSON file, or the records of a table. */
export function readListFile(flag: string, file: string) {
  const source = { name: file, foreignText: '', bytes: readFile(file), close: async () => {} };
  return readContent(source, { flag });
}

function inJson(rows: readonly Row[], file: string, names: readonly string[]) {
  return rows.map(({ line, original, read }) => {
    const json = orUndefined(() => 'text' in original && parseJson(original.text));
    if (typeof json === 'string') return json;
    const record = locateErrors(`${file}, line ${line}`, read);
    const value = names.map((name) => textAt(record, name)).find(Boolean);
    if (value === undefined) throw usageError(`${file}, line ${line}: no ${names[0]}`);
    return value;
  });
}

function inTable(records: readonly TableRecord[], file: string, names: readonly string[]) {
  const [{ line, cells: first } = { line: 1, cells: [] }] = records;
  const header = first.map(headingWord);
  const column = names.map((name) => header.indexOf(headingWord(name))).find((at) => at >= 0);
  if (column === undefined && first.length > 1) {
    const hint = `Give a file with one value on each line, or with a column ${names[0]}`;
    throw usageError(`${file}, line ${line}: no column ${names[0]}`, hint);
  }
  return records
    .slice(column === undefined ? 0 : 1)
    .flatMap(({ cells }) => cells[column ?? 0]?.trim() || []);
}
