import { isBlank, stringEnd } from './text.ts';
import { type Json, JsonNumber, type JsonObject } from './value.ts';

/** More than any record has, and less than overflows the stack. */
const maxDepth = 500;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

/** An error in a text that a person may have written, in JSON or in YAML. */
export class TextSyntaxError extends Error {
  /** The text around the error. */
  readonly near: string;

  constructor(message: string, near: string) {
    super(message);
    this.near = near;
  }
}

export class JsonSyntaxError extends TextSyntaxError {
  /** The message without line and column. */
  readonly reason: string;
  readonly line: number;
  readonly column: number;

  constructor(reason: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    const lineEnd = text.indexOf('\n', offset);
    const line = before.split('\n').length;
    const column = offset - lineStart + 1;
    const near = text.slice(
      Math.max(lineStart, offset - 30),
      lineEnd < 0 ? offset + 30 : Math.min(lineEnd, offset + 30),
    );
    super(`${reason} at line ${line}, column ${column}`, near.trim());
    this.name = 'JsonSyntaxError';
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/**
 * Parses one JSON document without loss. A duplicate key is an error in text that a person wrote; in
 * responses of the service, the last one counts.
 */
export function parseJson(text: string, { lastKeyCounts = false } = {}): Json {
  const reader = new Reader(text, lastKeyCounts);
  const json = reader.value(0);
  reader.end();
  return json;
}

class Reader {
  readonly #text: string;
  readonly #lastKeyCounts: boolean;
  #at = 0;

  constructor(text: string, lastKeyCounts: boolean) {
    this.#text = text;
    this.#lastKeyCounts = lastKeyCounts;
  }

  value(depth: number): Json {
    if (depth > maxDepth) throw this.#error(`nested deeper than ${maxDepth} levels`);
    this.#skipBlank();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  end(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length)
      throw this.#error(`unexpected ${this.#found()} after the end`);
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = new Map();
    this.#at += 1;
    if (this.#take('}')) return object;
    do {
      this.#skipBlank();
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"')
        throw this.#error(`expected a quoted key, found ${this.#found()}`);
      const key = this.#string();
      if (object.has(key) && !this.#lastKeyCounts) {
        this.#at = keyAt;
        throw this.#error(`the key ${JSON.stringify(key)} stands twice`);
      }
      if (!this.#take(':')) throw this.#error(`expected ":", found ${this.#found()}`);
      object.set(key, this.value(depth + 1));
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#error(`expected "," or "}", found ${this.#found()}`);
    return object;
  }

  #array(depth: number): Json[] {
    const array: Json[] = [];
    this.#at += 1;
    if (this.#take(']')) return array;
    do {
      array.push(this.value(depth + 1));
    } while (this.#take(','));
    if (!this.#take(']')) throw this.#error(`expected "," or "]", found ${this.#found()}`);
    return array;
  }

  #string(): string {
    const start = this.#at;
    this.#at = stringEnd(this.#text, start);
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      this.#at = start;
      throw this.#error('a string that does not end, or has a bad escape or a raw line break');
    }
  }

  #scalar(): Json {
    const source = this.#match(number);
    if (source !== undefined) return new JsonNumber(source);
    switch (this.#match(word)) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        throw this.#error(`expected a value, found ${this.#found()}`);
    }
  }

  #take(character: string): boolean {
    this.#skipBlank();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skipBlank(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #found(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return this.#at < this.#text.length ? JSON.stringify(character) : 'the end of the text';
  }

  #error(reason: string): JsonSyntaxError {
    return new JsonSyntaxError(reason, this.#text, this.#at);
  }
}
