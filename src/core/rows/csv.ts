import { usageError } from '../errors.ts';
import type { TableRecord } from './row.ts';
import { splitRows } from './splitRows.ts';

const lineBreak = /\r\n|\r|\n/g;

/**
 * Parses RFC 4180 with any separator from a stream. Lines end in LF, CRLF or CR. A library would add
 * 30 kB, and those that report lines count a line break inside a cell twice.
 */
export function csvRecords(
  chunks: AsyncIterable<string>,
  separator: string,
  name: string,
): AsyncGenerator<TableRecord> {
  const plainEnd = new RegExp(`[${separator.replace(/[\]\\^-]/, '\\$&')}\r\n]`, 'g');
  const error = (line: number, problem: string) =>
    usageError(
      `${name}, line ${line}: ${problem}`,
      'Write quotes inside a quoted cell twice: "say ""hello"" to her"',
    );
  return splitRows(chunks, name, {
    hint: 'Check for a missing closing quote.',
    take(text, start, { line, isEnd }) {
      const cells: string[] = [];
      let lines = 1;
      for (let at = start; ; ) {
        let end: number;
        if (text[at] === '"') {
          end = closingQuote(text, at) + 1;
          if (end === 0 && isEnd) throw error(line, 'a quoted cell has no closing quote');
          if (end === 0) return undefined;
          const cell = text.slice(at + 1, end - 1);
          lines += cell.match(lineBreak)?.length ?? 0;
          cells.push(cell.replaceAll('""', '"'));
        } else {
          plainEnd.lastIndex = at;
          end = plainEnd.exec(text)?.index ?? text.length;
          cells.push(text.slice(at, end));
        }
        const next = text[end] ?? '\n';
        const isReturn = next === '\r';
        // The next chunk may start with a second quote, or with the line feed after a return.
        if (!isEnd && end + Number(isReturn) >= text.length) return undefined;
        if (isReturn || next === '\n') {
          const isPair = isReturn && text[end + 1] === '\n';
          return { row: { cells }, end: end + (isPair ? 2 : 1), lines };
        }
        if (next !== separator) throw error(line, 'unexpected text after a closing quote');
        at = end + 1;
      }
    },
  });
}

/** The index of the quote that closes a cell. Quotes inside the cell are doubled. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
