import { usageError } from '../../../errors.ts';
import { jsonRow, PendingRow, type Row } from './row.ts';
import { countLines } from './source.ts';

/** Splits only the new chunk: splitting a long line again for each chunk takes quadratic time. */
export async function* jsonLines(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  const pending = new PendingRow(name);
  let number = 0;
  let line = 1;
  const take = (): Row | undefined => {
    const content = pending.take();
    const trimmed = content.trim();
    if (trimmed === '') return undefined;
    number += 1;
    // Reported at once: otherwise each of its lines would be reported as an invalid row.
    if (number === 1 && trimmed === '{') {
      throw usageError(
        `${name}, line ${line}: this record spans several lines`,
        'Write each record on one line, or put all records in an array [...]. To send a single record, use -f FILE.',
      );
    }
    return { number, line, ...jsonRow(content) };
  };
  for await (const chunk of text) {
    for (const [index, part] of chunk.split('\n').entries()) {
      if (index > 0) {
        const row = take();
        if (row) yield row;
        line += 1;
      }
      pending.add(part, line);
    }
  }
  const last = take();
  if (last) yield last;
}

/** The text starts with `[`. Each element is yielded as soon as it is complete. */
export async function* jsonArray(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  const splitter = new ArraySplitter(name);
  let number = 0;
  for await (const chunk of text) {
    for (const { content, line } of splitter.push(chunk)) {
      number += 1;
      yield { number, line, ...jsonRow(content) };
    }
  }
  splitter.end();
}

interface Element {
  content: string;
  line: number;
}

const structure = /["[\]{},]/g;
const inString = /["\\]/g;

/**
 * Splits an array at its commas. It knows only strings and brackets; the parser checks the rest.
 * Each character is read once, even if an element spans many chunks.
 */
class ArraySplitter {
  readonly #name: string;
  readonly #element: PendingRow;
  #state: 'before' | 'inside' | 'after' = 'before';
  /** False while only blanks were read since the last comma. */
  #isInElement = false;
  #isInString = false;
  /** The last chunk ended with a backslash. */
  #isEscaped = false;
  #depth = 0;
  #line = 1;
  #elementLine = 1;
  #hasElements = false;

  constructor(name: string) {
    this.#name = name;
    this.#element = new PendingRow(name);
  }

  *push(chunk: string): Generator<Element> {
    let at = 0;
    if (this.#state === 'before') {
      at = this.#skipBlanks(chunk, 0) + 1;
      this.#elementLine = this.#line;
      this.#state = 'inside';
    }
    while (this.#state === 'inside' && at < chunk.length) {
      if (!this.#isInElement) {
        at = this.#skipBlanks(chunk, at);
        this.#isInElement = at < chunk.length;
        this.#elementLine = this.#line;
      }
      const end = this.#endOfElement(chunk, at);
      const part = chunk.slice(at, end);
      this.#line += countLines(part);
      this.#element.add(part, this.#elementLine, 'Check for a missing closing quote or bracket.');
      if (end === chunk.length) return;
      yield* this.#finish(chunk[end] as string);
      at = end + 1;
    }
    if (this.#state === 'after' && this.#skipBlanks(chunk, at) < chunk.length) {
      const hint =
        'Put all records in the array, or write each record on one line without an array.';
      throw this.#error('unexpected text after the end of the array', hint);
    }
  }

  end(): void {
    if (this.#state === 'after') return;
    throw this.#error(
      'the array has no closing ]',
      'The file may be incomplete.',
      this.#elementLine,
    );
  }

  #skipBlanks(chunk: string, at: number): number {
    const blanks = chunk.slice(at).search(/\S/);
    const end = blanks < 0 ? chunk.length : at + blanks;
    this.#line += countLines(chunk.slice(at, end));
    return end;
  }

  #endOfElement(chunk: string, start: number): number {
    let at = start;
    while (at < chunk.length) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
        at += 1;
        continue;
      }
      const mark = this.#isInString ? inString : structure;
      mark.lastIndex = at;
      const found = mark.exec(chunk);
      if (found === null) return chunk.length;
      const [character] = found;
      at = found.index;
      if (character === '"') this.#isInString = !this.#isInString;
      else if (character === '\\') this.#isEscaped = true;
      else if (this.#depth === 0 && (character === ',' || character === ']')) return at;
      else if (character === '[' || character === '{') this.#depth += 1;
      else if (character !== ',') this.#depth -= 1;
      at += 1;
    }
    return chunk.length;
  }

  *#finish(after: string): Generator<Element> {
    const content = this.#element.take();
    const isLast = after === ']';
    if (content !== '') yield { content, line: this.#elementLine };
    else if (!isLast || this.#hasElements)
      throw this.#error('a record is missing before this comma or bracket');
    this.#hasElements = true;
    this.#isInElement = false;
    if (isLast) this.#state = 'after';
  }

  #error(problem: string, hint?: string, line = this.#line): Error {
    return usageError(`${this.#name}, line ${line}: ${problem}`, hint);
  }
}
