import { usageError } from '../errors.ts';
import { elementEnd } from '../json/text.ts';
import { jsonRow, type Row } from './row.ts';
import { countLines } from './source.ts';

export function* jsonLines(text: string, name: string): Generator<Row, void> {
  let number = 0;
  for (const [index, content] of text.split('\n').entries()) {
    const [line, trimmed] = [index + 1, content.trim()];
    if (trimmed === '') continue;
    number += 1;
    // Reported at once: otherwise each of its lines would be reported as an invalid row.
    if (number === 1 && trimmed === '{') {
      throw usageError(
        `${name}, line ${line}: this record spans several lines`,
        'Write each record on one line, or put all records in an array [...]. To send a single record, use -f FILE.',
      );
    }
    yield { number, line, ...jsonRow(content) };
  }
}

/**
 * The text starts with `[`. It is split at the commas of this array: only strings and brackets are
 * read, and the parser checks the rest.
 */
export function* jsonArray(text: string, name: string): Generator<Row, void> {
  let at = 0;
  let line = 1;
  const goTo = (end: number) => {
    line += countLines(text.slice(at, end));
    at = end;
  };
  const skipBlanks = () => goTo(at + text.slice(at).search(/\S|$/));
  const error = (problem: string, hint?: string) =>
    usageError(`${name}, line ${line}: ${problem}`, hint);
  skipBlanks();
  goTo(at + 1);
  for (let number = 1, next: string | undefined = ','; next === ','; number += 1) {
    skipBlanks();
    const end = elementEnd(text, at);
    const content = text.slice(at, end);
    next = text[end];
    if (next !== ',' && next !== ']') {
      throw error('the array has no closing ]', 'The file may be incomplete.');
    }
    if (content !== '') yield { number, line, ...jsonRow(content) };
    else if (next === ',' || number > 1) {
      throw error('a record is missing before this comma or bracket');
    }
    goTo(end + 1);
  }
  skipBlanks();
  if (at < text.length) {
    const hint = 'Put all records in the array, or write each record on one line without an array.';
    throw error('unexpected text after the end of the array', hint);
  }
}
