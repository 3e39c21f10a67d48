import { Readable } from 'node:stream';
import { pathSegment } from '../client/request.ts';
import { usageError } from '../errors.ts';
import { type Input, type Option, readOption } from '../input.ts';
import { textAt } from '../json/fields.ts';
import type { Context } from '../session/context.ts';

/*
 * Most runs of the commands that take `--from` have none, so everything that reads a file is loaded
 * where it is used.
 */

/** A report of a batch has the column `id`. */
const idColumns = ['_id', 'id'];

export const fromOption: Option = {
  flags: '--from <file>',
  summary: 'also take the ids in this file: one on each line, or CSV or JSON lines with _id',
  completes: 'file',
};

/** The ids in the file of `--from`: one on each line, the column `_id` of a CSV, or JSON with `_id`. */
export async function idsFrom(context: Context, input: Input): Promise<string[]> {
  return (await readOption(input, 'from', (file) => idsInFile(context, file))) ?? [];
}

async function idsInFile(context: Context, file: string): Promise<string[]> {
  const { readFile } = await import('../records/document.ts');
  const { decodeText } = await import('../rows/source.ts');
  const { idReader } = await import('./ids.ts');
  let text = '';
  for await (const part of decodeText(Readable.from([readFile(file)]), file)) text += part;
  const ids = await (/^\s*[{[]/.test(text) ? inJson : inTable)(text, file);
  const readId = idReader(context);
  return [...new Set(ids)].map((word) => {
    const id = readId(word, 'WorkRequest');
    pathSegment(id);
    return id;
  });
}

async function inJson(text: string, file: string): Promise<string[]> {
  const { jsonArray, jsonLines } = await import('../rows/jsonRows.ts');
  const { locateErrors } = await import('../rows/tableRows.ts');
  const rows = text.trimStart().startsWith('[') ? jsonArray : jsonLines;
  const ids: string[] = [];
  for await (const { line, read } of rows(Readable.from([text]), file)) {
    const record = locateErrors(`${file}, line ${line}`, read);
    const id = idColumns.map((name) => textAt(record, name)).find(Boolean);
    if (id === undefined) throw usageError(`${file}, line ${line}: no _id`);
    ids.push(id);
  }
  return ids;
}

async function inTable(text: string, file: string): Promise<string[]> {
  const { csvRecords } = await import('../rows/csv.ts');
  const { findSeparator } = await import('../rows/tableRows.ts');
  const rows: { line: number; cells: string[] }[] = [];
  for await (const row of csvRecords(Readable.from([text]), findSeparator(text), file))
    rows.push(row);
  const [{ line, cells } = { line: 1, cells: [] }] = rows;
  const column = cells.findIndex((cell) => idColumns.includes(cell.trim()));
  if (column < 0 && cells.length > 1) {
    const hint = 'Give a file with one id on each line, or with a column _id.';
    throw usageError(`${file}, line ${line}: no column _id`, hint);
  }
  const ids = column < 0 ? rows : rows.slice(1);
  return ids.flatMap((row) => row.cells[Math.max(column, 0)]?.trim() || []);
}
