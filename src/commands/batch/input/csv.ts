import { usageError } from '../../../errors.ts';
import { PendingRow } from './row.ts';

export interface CsvRecord {
  /** The first one: quoted cells may have line breaks. */
  line: number;
  cells: string[];
}

/**
 * Parses RFC 4180 with any separator from a stream. Lines end in LF, CRLF or CR. A library would add
 * 30 kB, and those that report lines count a line break inside a cell twice.
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

type ReaderState =
  | 'cellStart'
  | 'plain'
  | 'quoted'
  | 'afterQuote'
  | 'cellEnd'
  | 'afterReturn'
  | 'rowEnd';

/** Spreadsheets have about 16,000 columns. */
const maxCells = 100_000;
const lineBreak = /\r\n|\r|\n/g;

/** Reads each character once, even if a row spans many chunks. */
class CsvReader {
  readonly #separator: string;
  readonly #plainEnd: RegExp;
  readonly #name: string;
  readonly #pending: PendingRow;
  #state: ReaderState = 'cellStart';
  #cells: string[] = [];
  #isQuoted = false;
  #line = 1;
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
      if (this.#state === 'afterReturn') {
        if (chunk[at] === '\n') at += 1;
        yield this.#endRow();
      } else if (this.#state === 'cellStart') {
        this.#isQuoted = chunk[at] === '"';
        this.#state = this.#isQuoted ? 'quoted' : 'plain';
        if (this.#isQuoted) at += 1;
      } else if (this.#state === 'plain') {
        at = this.#takePlain(chunk, at);
      } else if (this.#state === 'quoted') {
        at = this.#takeQuoted(chunk, at);
      } else if (this.#state === 'afterQuote' && chunk[at] === '"') {
        this.#add('""');
        this.#state = 'quoted';
        at += 1;
      } else {
        this.#endCell(chunk[at] as string);
        at += 1;
      }
      if (this.#state === 'rowEnd') yield this.#endRow();
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') throw this.#error('a quoted cell has no closing quote');
    if (this.#state === 'cellStart' && this.#cells.length === 0) return;
    if (this.#state !== 'afterReturn') this.#endCell('\n');
    yield this.#endRow();
  }

  #takePlain(chunk: string, at: number): number {
    this.#plainEnd.lastIndex = at;
    const end = this.#plainEnd.exec(chunk)?.index ?? chunk.length;
    this.#add(chunk.slice(at, end));
    if (end < chunk.length) this.#state = 'cellEnd';
    return end;
  }

  /** Doubled quotes stay until the cell ends: splitting at each one can make a million small parts. */
  #takeQuoted(chunk: string, at: number): number {
    let end = chunk.indexOf('"', at);
    while (end >= 0 && chunk[end + 1] === '"') end = chunk.indexOf('"', end + 2);
    const content = end < 0 ? chunk.slice(at) : chunk.slice(at, end);
    this.#add(content);
    this.#countLines(content);
    if (end < 0) return chunk.length;
    this.#state = 'afterQuote';
    return end + 1;
  }

  #add(text: string): void {
    this.#pending.add(text, this.#rowLine, 'Check for a missing closing quote.');
  }

  /** `next` is a separator or the first character of a line end. */
  #endCell(next: string): void {
    const isLineEnd = next === '\n' || next === '\r';
    if (next !== this.#separator && !isLineEnd) {
      throw this.#error('unexpected text after a closing quote');
    }
    const text = this.#pending.takePart();
    this.#cells.push(this.#isQuoted ? text.replaceAll('""', '"') : text);
    if (this.#cells.length > maxCells) {
      throw this.#error(`this row has too many cells; the limit is ${maxCells}`);
    }
    this.#isQuoted = false;
    this.#endsInReturn = false;
    if (isLineEnd) this.#line += 1;
    this.#state = next === '\r' ? 'afterReturn' : isLineEnd ? 'rowEnd' : 'cellStart';
  }

  #endRow(): CsvRecord {
    const record = { line: this.#rowLine, cells: this.#cells };
    this.#pending.take();
    this.#cells = [];
    this.#rowLine = this.#line;
    this.#state = 'cellStart';
    return record;
  }

  /** A chunk may end between the CR and the LF of a line break. */
  #countLines(text: string): void {
    if (text === '') return;
    this.#line += text.match(lineBreak)?.length ?? 0;
    if (this.#endsInReturn && text.startsWith('\n')) this.#line -= 1;
    this.#endsInReturn = text.endsWith('\r');
  }

  #error(problem: string): Error {
    return usageError(
      `${this.#name}, line ${this.#rowLine}: ${problem}`,
      'Write quotes inside a quoted cell twice: "say ""hello"" to her"',
    );
  }
}
