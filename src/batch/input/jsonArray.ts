import { usageError } from '../../errors.ts';
import { stringEnd } from '../../json/text.ts';
import { type Row, readJsonRow } from './row.ts';

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

const mark = /["[\]{},]/g;

function indexOfMark(text: string, from: number): number {
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? -1;
}

/** Cuts an array at its commas. Only strings and brackets are looked at: the rest is for the parser. */
class ArraySplitter {
  readonly #name: string;
  #state: 'before' | 'inside' | 'after' = 'before';
  /** The text from the start of the element at hand. */
  #pending = '';
  #at = 0;
  #depth = 0;
  #line = 1;
  #hasElements = false;

  constructor(name: string) {
    this.#name = name;
  }

  *push(chunk: string): Generator<Element> {
    this.#pending += chunk;
    if (this.#state === 'before') this.#open();
    while (this.#state === 'inside') {
      const at = indexOfMark(this.#pending, this.#at);
      this.#at = at < 0 ? this.#pending.length : at;
      if (at < 0) return;
      const character = this.#pending[at];
      if (character === '"') {
        const end = stringEnd(this.#pending, this.#at);
        // It may go on in the next chunk: it is looked at again then.
        if (end === this.#pending.length) return;
        this.#at = end;
        continue;
      }
      if (this.#depth === 0 && (character === ',' || character === ']')) {
        yield* this.#element(character);
        continue;
      }
      if (character === '[' || character === '{') this.#depth += 1;
      else if (character !== ',') this.#depth -= 1;
      this.#at += 1;
    }
    if (this.#state === 'after' && this.#pending.trim() !== '') {
      this.#drop(this.#pending.search(/\S/));
      throw this.#error('there is more after the end of the array', 'one record a line is JSONL');
    }
  }

  end(): void {
    if (this.#state === 'after') return;
    throw this.#error('the array does not end', 'is the file complete?');
  }

  #open(): void {
    const start = this.#pending.search(/\S/);
    if (start < 0) return;
    if (this.#pending[start] !== '[') throw this.#error('expected an array of records');
    this.#drop(start + 1);
    this.#state = 'inside';
  }

  *#element(after: ',' | ']'): Generator<Element> {
    const end = this.#at;
    const content = this.#pending.slice(0, end);
    const isLast = after === ']';
    const start = content.search(/\S/);
    const isBlank = start < 0;
    this.#drop(isBlank ? end : start);
    if (!isBlank) yield { content: content.slice(start), line: this.#line };
    else if (!isLast || this.#hasElements) throw this.#error('a record is missing before this');
    this.#hasElements = true;
    this.#drop(isBlank ? 1 : end - start + 1);
    if (isLast) this.#state = 'after';
  }

  /** Forgets the first characters. */
  #drop(count: number): void {
    this.#line += this.#pending.slice(0, count).split('\n').length - 1;
    this.#pending = this.#pending.slice(count);
    this.#at = 0;
  }

  #error(problem: string, hint?: string): Error {
    return usageError(`${this.#name}, line ${this.#line}: ${problem}`, hint);
  }
}
