import type * as z from 'zod/mini';
import { MarError, usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Header, isEmptyRow, readHeader, recordOf } from './columns.ts';
import { PendingRow, type Row } from './row.ts';

/** A line of a table; a quoted cell may hold line breaks, so it may be several. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * RFC 4180 with any separator, as it streams by. Lines end in LF, CRLF or CR. A library would be
 * 30 kB, and the ones that tell lines count a line break inside a cell twice.
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  separator: string,
  name: string,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(separator, name);
  for await (const chunk of text) yield* reader.push(chunk);
  yield* reader.end();
}

/** What the reader is in the middle of when a chunk ends. */
type State =
  /** At the start of a cell. */
  | 'cell'
  | 'plain'
  | 'quoted'
  /** After a quote in a quoted cell: it ends the cell, or is the first half of a doubled one. */
  | 'quote'
  /** At the separator or line end that follows a plain cell. */
  | 'end'
  /** After a carriage return: a line feed may still belong to it. */
  | 'return'
  /** After a line feed. */
  | 'feed';

/** Spreadsheets have about 16,000 columns. */
const maxCells = 100_000;
const lineBreak = /\r\n|\r|\n/g;

/** Reads each character once, however many chunks a row spans. */
class CsvReader {
  readonly #separator: string;
  readonly #plainEnd: RegExp;
  readonly #name: string;
  readonly #pending: PendingRow;
  #state: State = 'cell';
  #cells: string[] = [];
  #isQuoted = false;
  #line = 1;
  /** The line where the row at hand begins. */
  #rowLine = 1;
  #endsInReturn = false;

  constructor(separator: string, name: string) {
    this.#separator = separator;
    const escaped = separator.replace(/[\]\\^-]/, '\\$&');
    this.#plainEnd = new RegExp(`[${escaped}\r\n]`, 'g');
    this.#name = name;
    this.#pending = new PendingRow(name);
  }

  *push(chunk: string): Generator<CsvRecord> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'return') {
        if (chunk[at] === '\n') at += 1;
        yield this.#endRow();
      } else if (this.#state === 'cell') {
        this.#isQuoted = chunk[at] === '"';
        this.#state = this.#isQuoted ? 'quoted' : 'plain';
        if (this.#isQuoted) at += 1;
      } else if (this.#state === 'plain') {
        at = this.#takePlain(chunk, at);
      } else if (this.#state === 'quoted') {
        at = this.#takeQuoted(chunk, at);
      } else if (this.#state === 'quote' && chunk[at] === '"') {
        this.#add('""');
        this.#state = 'quoted';
        at += 1;
      } else {
        this.#endCell(chunk[at] as string);
        at += 1;
      }
      if (this.#state === 'feed') yield this.#endRow();
    }
  }

  /** The last row, which may have no line end. */
  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') throw this.#error('a quoted cell does not end');
    if (this.#state === 'cell' && this.#cells.length === 0) return;
    if (this.#state !== 'return') this.#endCell('\n');
    yield this.#endRow();
  }

  #takePlain(chunk: string, at: number): number {
    this.#plainEnd.lastIndex = at;
    const end = this.#plainEnd.exec(chunk)?.index ?? chunk.length;
    this.#add(chunk.slice(at, end));
    if (end < chunk.length) this.#state = 'end';
    return end;
  }

  /** Doubled quotes stay in until the cell ends: taking each one out makes a million small parts. */
  #takeQuoted(chunk: string, at: number): number {
    let end = chunk.indexOf('"', at);
    while (end >= 0 && chunk[end + 1] === '"') end = chunk.indexOf('"', end + 2);
    const content = end < 0 ? chunk.slice(at) : chunk.slice(at, end);
    this.#add(content);
    this.#countLines(content);
    if (end < 0) return chunk.length;
    this.#state = 'quote';
    return end + 1;
  }

  #add(text: string): void {
    this.#pending.add(text, this.#rowLine, 'is a closing quote missing?');
  }

  /** Ends a cell with what follows it: a separator, or the first character of a line end. */
  #endCell(next: string): void {
    const isLineEnd = next === '\n' || next === '\r';
    if (next !== this.#separator && !isLineEnd) {
      throw this.#error('there is text after a closing quote');
    }
    const text = this.#pending.takePart();
    this.#cells.push(this.#isQuoted ? text.replaceAll('""', '"') : text);
    if (this.#cells.length > maxCells) {
      throw this.#error(`this row has more than ${maxCells} cells (the limit)`);
    }
    this.#isQuoted = false;
    this.#endsInReturn = false;
    if (isLineEnd) this.#line += 1;
    this.#state = next === '\r' ? 'return' : isLineEnd ? 'feed' : 'cell';
  }

  #endRow(): CsvRecord {
    const record = { line: this.#rowLine, cells: this.#cells };
    this.#pending.take();
    this.#cells = [];
    this.#rowLine = this.#line;
    this.#state = 'cell';
    return record;
  }

  /** A line break inside a cell may be cut in two by the end of a chunk. */
  #countLines(text: string): void {
    if (text === '') return;
    this.#line += text.match(lineBreak)?.length ?? 0;
    if (this.#endsInReturn && text.startsWith('\n')) this.#line -= 1;
    this.#endsInReturn = text.endsWith('\r');
  }

  #error(problem: string): Error {
    return usageError(
      `${this.#name}, line ${this.#rowLine}: ${problem}`,
      'a cell with quotes is written "so ""to"" say"',
    );
  }
}

/** What separates the cells of a header: whichever of the usual ones stands in it most often. */
function findSeparator(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({
    separator,
    count: plain.split(separator).length,
  }));
  return counts.sort((a, b) => b.count - a.count)[0]?.separator ?? ',';
}

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
