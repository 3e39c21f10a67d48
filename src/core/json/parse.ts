import { isBlank, stringEnd } from './text.ts';
import { type Json, JsonNumber, type JsonObject } from './value.ts';

/** More than any record has, and less than overflows the stack. */
export const maxDepth = 500;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

export class TextSyntaxError extends Error {
  /** The message without line and column. */
  readonly reason: string;
  readonly line: number;
  readonly column: number;
  readonly near: string;

  constructor(reason: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    const lineEnd = text.indexOf('\n', offset);
    const line = before.split('\n').length;
    const column = offset - lineStart + 1;
    super(`${reason} at line ${line}, column ${column}`);
    this.reason = reason;
    this.line = line;
    this.column = column;
    const end = lineEnd < 0 ? offset + 30 : Math.min(lineEnd, offset + 30);
    this.near = text.slice(Math.max(lineStart, offset - 30), end).trim();
  }
}

export class JsonSyntaxError extends TextSyntaxError {}

/** A duplicate key is an error in text that a person wrote. In responses, the last one counts. */
export function parseJson(text: string, { lastKeyCounts = false } = {}): Json {
  let at = 0;

  const fail = (reason: string, offset = at) => new JsonSyntaxError(reason, text, offset);

  const expected = (what: string) => fail(`expected ${what}, found ${found()}`);

  const found = () =>
    at < text.length
      ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
      : 'the end of the input';

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const matched = pattern.exec(text)?.[0];
    at += matched?.length ?? 0;
    return matched;
  };

  const skipBlank = () => {
    while (isBlank(text.charCodeAt(at))) at += 1;
  };

  const take = (character: string): boolean => {
    skipBlank();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };

  const value = (depth: number): Json => {
    if (depth > maxDepth) throw fail(`nested deeper than ${maxDepth} levels`);
    skipBlank();
    if (text[at] === '{') return object(depth);
    if (text[at] === '[') return array(depth);
    if (text[at] === '"') return string();
    const source = match(number);
    if (source !== undefined) return new JsonNumber(source);
    const name = match(word);
    if (name === undefined) throw expected('a value');
    return JSON.parse(name);
  };

  const object = (depth: number): JsonObject => {
    const fields: JsonObject = new Map();
    at += 1;
    if (take('}')) return fields;
    do {
      skipBlank();
      const keyAt = at;
      if (text[at] !== '"') throw expected('a quoted key');
      const key = string();
      if (fields.has(key) && !lastKeyCounts) {
        throw fail(`duplicate key ${JSON.stringify(key)}`, keyAt);
      }
      if (!take(':')) throw expected('":"');
      fields.set(key, value(depth + 1));
    } while (take(','));
    if (!take('}')) throw expected('"," or "}"');
    return fields;
  };

  const array = (depth: number): Json[] => {
    const elements: Json[] = [];
    at += 1;
    if (take(']')) return elements;
    do {
      elements.push(value(depth + 1));
    } while (take(','));
    if (!take(']')) throw expected('"," or "]"');
    return elements;
  };

  const string = (): string => {
    const start = at;
    at = stringEnd(text, start);
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      throw fail('invalid string: no closing quote, an invalid escape or a line break', start);
    }
  };

  const json = value(0);
  skipBlank();
  if (at < text.length) throw fail(`unexpected ${found()} after the end`);
  return json;
}

/** Created on first use, because creating a decoder takes longer than using it. */
let strictDecoder: InstanceType<typeof TextDecoder> | undefined;

/** Decodes UTF-8 without a byte-order mark. Throws on invalid bytes instead of replacing them. */
export function decodeUtf8(bytes: Uint8Array): string {
  strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
  return strictDecoder.decode(bytes);
}
