import { Readable } from 'node:stream';
import { usageError } from '../errors.ts';
import { textAt } from '../json/fields.ts';
import { readFile } from '../records/document.ts';
import { csvRecords } from './csv.ts';
import { headingWord } from './headings.ts';
import { jsonArray, jsonLines } from './jsonRows.ts';
import type { TableRecord } from './row.ts';
import { decodeText, isWorkbook } from './source.ts';
import { findSeparator, locateErrors } from './tableRows.ts';

/**
 * The values of a list: those of the first of these columns that a table has, or of the first of these
 * fields of JSON records. A list with one value on each line needs no header. Empty cells are left out.
 */
export async function readColumn(
  flag: string,
  file: string,
  names: readonly string[],
): Promise<string[]> {
  const bytes = readFile(file);
  if (isWorkbook(bytes)) {
    const { readSheet } = await import('./workbook.ts');
    return inTable(await readSheet(bytes, file, {}, flag), file, names);
  }
  let text = '';
  for await (const part of decodeText(Readable.from([bytes]), file)) text += part;
  if (/^\s*[{[]/.test(text)) return inJson(text, file, names);
  const records: TableRecord[] = [];
  const cells = csvRecords(Readable.from([text]), findSeparator(text), file);
  for await (const record of cells) records.push(record);
  return inTable(records, file, names);
}

async function inJson(text: string, file: string, names: readonly string[]): Promise<string[]> {
  const rows = text.trimStart().startsWith('[') ? jsonArray : jsonLines;
  const values: string[] = [];
  for await (const { line, read } of rows(Readable.from([text]), file)) {
    const record = locateErrors(`${file}, line ${line}`, read);
    const value = names.map((name) => textAt(record, name)).find(Boolean);
    if (value === undefined) throw usageError(`${file}, line ${line}: no ${names[0]}`);
    values.push(value);
  }
  return values;
}

function inTable(records: readonly TableRecord[], file: string, names: readonly string[]) {
  const [{ line, cells: first } = { line: 1, cells: [] }] = records;
  const header = first.map(headingWord);
  const column = names.map((name) => header.indexOf(headingWord(name))).find((at) => at >= 0);
  if (column === undefined && first.length > 1) {
    const hint = `Give a file with one value on each line, or with a column ${names[0]}.`;
    throw usageError(`${file}, line ${line}: no column ${names[0]}`, hint);
  }
  return records
    .slice(column === undefined ? 0 : 1)
    .flatMap(({ cells }) => cells[column ?? 0]?.trim() || []);
}
