import { usageError } from '../../errors.ts';
import { PendingRow, type Row, readJsonRow } from './row.ts';

/** One record a line; empty lines are skipped. */
export async function* jsonLines(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let number = 0;
  for await (const { content, line } of linesOf(text, name)) {
    number += 1;
    if (number === 1 && content.trim() === '{') throw spread(name, line);
    yield { number, line, read: () => readJsonRow(content) };
  }
}

/** All its lines would be told, each as a row that is not valid. */
const spread = (name: string, line: number) =>
  usageError(
    `${name}, line ${line}: this record goes on over several lines`,
    'one record a line is JSONL; several like this are an array [...]; one alone goes with -f FILE',
  );

/** Only the new chunk is searched: joining and splitting a long line again for each chunk is quadratic. */
async function* linesOf(text: AsyncIterable<string>, name: string) {
  const pending = new PendingRow(name);
  let line = 1;
  for await (const chunk of text) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      pending.add(chunk.slice(start, end), line);
      const content = pending.take();
      if (content.trim() !== '') yield { content, line };
      start = end + 1;
      line += 1;
    }
    pending.add(chunk.slice(start), line);
  }
  const content = pending.take();
  if (content.trim() !== '') yield { content, line };
}

/** The elements of one JSON array, each as soon as its end is there: the array is never held whole. */
export async function* jsonArray(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  const splitter = new ArraySplitter(name);
  let number = 0;
  for await (const chunk of text) {
    for (const { content, line } of splitter.push(chunk)) {
      number += 1;
      yield { number, line, read: () => readJsonRow(content) };
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
 * Cuts an array at its commas. Only strings and brackets are looked at: the rest is for the parser.
 * Each character is looked at once, however many chunks an element spans.
 */
class ArraySplitter {
  readonly #name: string;
  readonly #element: PendingRow;
  #state: 'before' | 'inside' | 'after' = 'before';
  /** Whether the element at hand has begun: blanks before it do not count. */
  #hasBegun = false;
  #isInString = false;
  /** The chunk ended with a backslash: the next character belongs to it. */
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
    let at = this.#state === 'before' ? this.#open(chunk) : 0;
    while (this.#state === 'inside' && at < chunk.length) {
      if (!this.#hasBegun) at = this.#begin(chunk, at);
      const end = this.#endOfElement(chunk, at);
      this.#add(chunk.slice(at, end));
      if (end === chunk.length) return;
      yield* this.#finish(chunk[end] as string);
      at = end + 1;
    }
    if (this.#state !== 'after') return;
    const rest = chunk.slice(at);
    const start = rest.search(/\S/);
    this.#countLines(start < 0 ? rest : rest.slice(0, start));
    if (start >= 0) {
      throw this.#error('there is more after the end of the array', 'one record a line is JSONL');
    }
  }

  end(): void {
    if (this.#state === 'after') return;
    throw this.#error('the array does not end', 'is the file complete?', this.#elementLine);
  }

  /** Skips what stands before the array and its bracket. */
  #open(chunk: string): number {
    const start = chunk.search(/\S/);
    this.#countLines(start < 0 ? chunk : chunk.slice(0, start));
    this.#elementLine = this.#line;
    if (start < 0) return chunk.length;
    if (chunk[start] !== '[') throw this.#error('expected an array of records');
    this.#state = 'inside';
    return start + 1;
  }

  /** Skips blanks before an element. */
  #begin(chunk: string, at: number): number {
    const blanks = chunk.slice(at).search(/\S/);
    const start = blanks < 0 ? chunk.length : at + blanks;
    this.#countLines(chunk.slice(at, start));
    this.#hasBegun = start < chunk.length;
    this.#elementLine = this.#line;
    return start;
  }

  /** Where the comma or bracket stands that ends the element; the chunk's end where none does. */
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
    else if (!isLast || this.#hasElements) throw this.#error('a record is missing before this');
    this.#hasElements = true;
    this.#hasBegun = false;
    if (isLast) this.#state = 'after';
  }

  #add(text: string): void {
    this.#countLines(text);
    this.#element.add(text, this.#elementLine, 'is a quote or a bracket not closed?');
  }

  #countLines(text: string): void {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line += 1;
  }

  #error(problem: string, hint?: string, line = this.#line): Error {
    return usageError(`${this.#name}, line ${line}: ${problem}`, hint);
  }
}
