import { usageError } from '../errors.ts';
import type { TableRecord } from './row.ts';

const lineBreak = /\r\n|\r|\n/g;

/**
 * Parses RFC 4180 with any separator. Lines end in LF, CRLF or CR. A library would add 30 kB, and those that
 * report lines count a line break inside a cell twice.
 */
export function* csvRecords(
  text: string,
  separator: string,
  name: string,
): Generator<TableRecord, void> {
  const plainEnd = new RegExp(`[${separator.replace(/[\]\\^-]/, '\\$&')}\r\n]`, 'g');
  let at = 0;
  let line = 1;
  const error = (problem: string) =>
    usageError(
      `${name}, line ${line}: ${problem}`,
      'Write quotes inside a quoted cell twice: "say ""hello"" to her"',
    );
  while (at < text.length) {
    const cells: string[] = [];
    let lines = 1;
    let next = separator;
    while (next === separator) {
      let end: number;
      if (text[at] === '"') {
        end = closingQuote(text, at) + 1;
        if (end === 0) throw error('a quoted cell has no closing quote');
        const cell = text.slice(at + 1, end - 1);
        lines += cell.match(lineBreak)?.length ?? 0;
        cells.push(cell.replaceAll('""', '"'));
      } else {
        plainEnd.lastIndex = at;
        end = plainEnd.exec(text)?.index ?? text.length;
        cells.push(text.slice(at, end));
      }
      next = text[end] ?? '\n';
      at = end + 1;
    }
    if (next === '\r' && text[at] === '\n') at += 1;
    if (next !== '\r' && next !== '\n') throw error('unexpected text after a closing quote');
    yield { line, cells };
    line += lines;
  }
}

/** The index of the quote that closes a cell. Quotes inside the cell are doubled. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
