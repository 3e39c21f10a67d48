import type * as z from 'zod/mini';
import { MarError, usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Header, isEmptyRow, readHeader, recordOf } from './columns.ts';
import { csvRecords, findSeparator } from './csv.ts';
import type { Row } from './row.ts';

export interface TableOptions {
  name: string;
  schema: z.ZodMiniType;
  /** Puts the time in its place that a date in a cell means. */
  setDate(record: JsonObject, path: string, date: string): void;
  /** Told of columns that are no known field, before the first row. */
  onUnknown(paths: readonly string[]): void;
}

/** The rows of a CSV or TSV table. The first line is the header, whatever its separator. */
export async function* tableRows(
  text: AsyncIterable<string>,
  start: string,
  options: TableOptions,
): AsyncGenerator<Row> {
  const { name } = options;
  const separator = separatorOf(start);
  let header: Header | undefined;
  let number = 0;
  for await (const { line, cells } of csvRecords(text, separator, name)) {
    if (isEmptyRow(cells) || (line === 1 && isSeparatorLine(start))) continue;
    if (!header) {
      header = atLine(name, line, () => readHeader(cells, options.schema));
      options.onUnknown(header.unknown);
      continue;
    }
    number += 1;
    const columns = header;
    yield { number, line, read: () => recordOf(cells, columns, options.setDate) };
  }
  if (!header) throw usageError(`${name} has no header`, 'the first line holds the field paths');
}

/** Spreadsheets may say in a line of its own what the separator is. */
const isSeparatorLine = (start: string) => /^sep=.\r?\n/i.test(start);

function separatorOf(start: string): string {
  const [, told] = /^sep=(.)\r?\n/i.exec(start) ?? [];
  return told ?? findSeparator(/^[^\r\n]*/.exec(start.trimStart())?.[0] ?? '');
}

function atLine<T>(name: string, line: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    throw usageError(`${name}, line ${line}: ${error.message}`, error.details.hint);
  }
}
