import { usageError } from '../../errors.ts';

/** A line of a table; a quoted cell may hold line breaks, so it may be several. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** No spreadsheet has rows like this: a quote was opened and never closed. */
const mostCharacters = 16 * 1024 * 1024;

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
  for await (const chunk of text) yield* reader.push(chunk, false);
  yield* reader.push('', true);
}

class CsvReader {
  readonly #separator: string;
  readonly #plainCell: RegExp;
  readonly #name: string;
  #text = '';
  #at = 0;
  #line = 1;

  constructor(separator: string, name: string) {
    this.#separator = separator;
    const escaped = separator.replace(/[\]\\^-]/, '\\$&');
    this.#plainCell = new RegExp(`[^${escaped}\r\n]*`, 'y');
    this.#name = name;
  }

  *push(chunk: string, isEnd: boolean): Generator<CsvRecord> {
    this.#text += chunk;
    let start = 0;
    while (start < this.#text.length) {
      this.#at = start;
      const cells = this.#record(isEnd);
      if (!cells) break;
      const line = this.#line;
      this.#line += lineBreaks(this.#text.slice(start, this.#at));
      start = this.#at;
      yield { line, cells };
    }
    this.#text = this.#text.slice(start);
    if (this.#text.length > mostCharacters) throw this.#error('a quoted cell does not end');
  }

  /** The record at hand, its line end included; undefined when more of it is to come. */
  #record(isEnd: boolean): string[] | undefined {
    const cells: string[] = [];
    for (;;) {
      const cell = this.#cell(isEnd);
      if (cell === undefined) return undefined;
      cells.push(cell);
      const next = this.#text[this.#at];
      if (next === undefined) return isEnd ? cells : undefined;
      this.#at += 1;
      if (next === this.#separator) continue;
      if (next === '\n') return cells;
      if (next !== '\r') throw this.#error('there is text after a closing quote');
      // A line feed may still follow.
      if (this.#at === this.#text.length && !isEnd) return undefined;
      if (this.#text[this.#at] === '\n') this.#at += 1;
      return cells;
    }
  }

  #cell(isEnd: boolean): string | undefined {
    if (this.#text[this.#at] === '"') return this.#quoted(isEnd);
    this.#plainCell.lastIndex = this.#at;
    const [cell = ''] = this.#plainCell.exec(this.#text) ?? [];
    this.#at += cell.length;
    return cell;
  }

  #quoted(isEnd: boolean): string | undefined {
    const start = this.#at + 1;
    let end = this.#text.indexOf('"', start);
    while (end >= 0 && this.#text[end + 1] === '"') end = this.#text.indexOf('"', end + 2);
    if (end < 0) {
      if (isEnd) throw this.#error('a quoted cell does not end');
      return undefined;
    }
    this.#at = end + 1;
    // At the end of a chunk it may be the first half of a doubled quote.
    if (this.#at === this.#text.length && !isEnd) return undefined;
    return this.#text.slice(start, end).replaceAll('""', '"');
  }

  #error(problem: string): Error {
    return usageError(
      `${this.#name}, line ${this.#line}: ${problem}`,
      'a cell with quotes is written "so ""to"" say"',
    );
  }
}

const lineBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** What separates the cells of a header: whichever of the usual ones stands in it most often. */
export function findSeparator(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({
    separator,
    count: plain.split(separator).length,
  }));
  return counts.sort((a, b) => b.count - a.count)[0]?.separator ?? ',';
}
