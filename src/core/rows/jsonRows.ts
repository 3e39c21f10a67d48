import { usageError } from '../errors.ts';
import { elementEnd } from '../json/text.ts';
import { jsonRow, type Row } from './row.ts';
import { countLines } from './source.ts';
import { splitRows } from './splitRows.ts';

export function jsonLines(chunks: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let number = 0;
  return splitRows(chunks, name, {
    take(text, start, { line, isEnd }) {
      const lineEnd = text.indexOf('\n', start);
      if (lineEnd < 0 && !isEnd) return undefined;
      const content = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
      const taken = { end: start + content.length + 1, lines: 1 };
      const trimmed = content.trim();
      if (trimmed === '') return taken;
      number += 1;
      // Reported at once: otherwise each of its lines would be reported as an invalid row.
      if (number === 1 && trimmed === '{') {
        throw usageError(
          `${name}, line ${line}: this record spans several lines`,
          'Write each record on one line, or put all records in an array [...]. To send a single record, use -f FILE.',
        );
      }
      return { row: { number, ...jsonRow(content) }, ...taken };
    },
  });
}

/**
 * The text starts with `[`. It is split at the commas of this array: only strings and brackets are
 * read, and the parser checks the rest.
 */
export function jsonArray(chunks: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let number = 0;
  let state: 'before' | 'inside' | 'after' = 'before';
  const error = (line: number, problem: string, hint?: string) =>
    usageError(`${name}, line ${line}: ${problem}`, hint);
  const notClosed = (line: number) =>
    error(line, 'the array has no closing ]', 'The file may be incomplete.');
  return splitRows(chunks, name, {
    hint: 'Check for a missing closing quote or bracket.',
    take(text, start, { line }) {
      const blanks = text.slice(start).search(/\S/);
      if (blanks !== 0) {
        const end = blanks < 0 ? text.length : start + blanks;
        return { end, lines: countLines(text.slice(start, end)) };
      }
      if (state === 'before') {
        state = 'inside';
        return { end: start + 1, lines: 0 };
      }
      if (state === 'after') {
        const hint =
          'Put all records in the array, or write each record on one line without an array.';
        throw error(line, 'unexpected text after the end of the array', hint);
      }
      const end = elementEnd(text, start);
      if (end === text.length) return undefined;
      if (text[end] === '}') throw notClosed(line);
      const content = text.slice(start, end);
      const isLast = text[end] === ']';
      if (isLast) state = 'after';
      const taken = { end: end + 1, lines: countLines(content) };
      if (content === '' && isLast && number === 0) return taken;
      if (content === '') throw error(line, 'a record is missing before this comma or bracket');
      number += 1;
      return { row: { number, ...jsonRow(content) }, ...taken };
    },
    end(line) {
      if (state !== 'after') throw notClosed(line);
    },
  });
}
