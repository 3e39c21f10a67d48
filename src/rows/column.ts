import { Readable } from 'node:stream';
import { readRegularFile } from '../files/regularFile.ts';
import { csvRecords } from './csv.ts';
import { decodeText, isWorkbook } from './source.ts';
import { findSeparator } from './tableRows.ts';

/**
 * The cells of a column of a table: of the first name that the header has, in any case, or else of the
 * first column, in a list without a header. Empty cells are left out.
 */
export async function readColumn(
  flag: string,
  file: string,
  names: readonly string[],
): Promise<string[]> {
  const rows: string[][] = [];
  for await (const { cells } of await recordsIn(flag, file)) {
    rows.push(cells.map((cell) => cell.trim()));
  }
  const header = rows[0]?.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, '')) ?? [];
  const column = names.map((name) => header.indexOf(name)).find((at) => at >= 0);
  const cells = rows.slice(column === undefined ? 0 : 1).map((row) => row[column ?? 0] ?? '');
  return cells.filter((cell) => cell !== '');
}

async function recordsIn(flag: string, file: string) {
  const bytes = readRegularFile(file);
  if (isWorkbook(bytes)) return (await import('./workbook.ts')).readSheet(bytes, file, {}, flag);
  let text = '';
  for await (const part of decodeText(Readable.from([bytes]), file)) text += part;
  return csvRecords(Readable.from([text]), findSeparator(text), file);
}
