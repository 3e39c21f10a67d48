import { usageError } from '../errors.ts';

/** Far more than a record has. A longer row usually lacks a closing quote. */
const maxRowCharacters = 32_000_000;

export interface RowSplitter<Row> {
  /**
   * Takes the row at an index, without its line. Returns nothing if the text ends before the row does.
   * Between rows, there may be text that is none.
   */
  take(
    text: string,
    at: number,
    place: { line: number; isEnd: boolean },
  ): { row?: Omit<Row, 'line'>; end: number; lines: number } | undefined;
  /** Why a row may be too long. */
  hint?: string;
}

/**
 * Splits text that comes in chunks into rows. A row that is not complete is read again when the text
 * has doubled: reading it again for each chunk takes quadratic time.
 */
export async function* splitRows<Row extends { line: number }>(
  chunks: AsyncIterable<string>,
  name: string,
  { take, hint }: RowSplitter<Row>,
): AsyncGenerator<Row> {
  let text = '';
  let line = 1;
  let awaitedLength = 0;
  function* takeRows(isEnd: boolean): Generator<Row> {
    let at = 0;
    while (at < text.length) {
      const taken = take(text, at, { line, isEnd });
      if ((taken?.end ?? text.length) - at > maxRowCharacters) {
        const limit = `the limit is ${maxRowCharacters / 1_000_000} million characters`;
        throw usageError(`${name}, line ${line}: this row is too long; ${limit}`, hint);
      }
      if (!taken) break;
      if (taken.row) yield { line, ...taken.row } as Row;
      at = taken.end;
      line += taken.lines;
    }
    text = text.slice(at);
    awaitedLength = Math.min(2 * text.length, maxRowCharacters + 1);
  }
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length >= awaitedLength) yield* takeRows(false);
  }
  yield* takeRows(true);
}
