import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson } from '../../../src/core/json/parse.ts';
import {
  isObject,
  type Json,
  JsonNumber,
  printJson,
  toPlain,
} from '../../../src/core/json/value.ts';
import { randomNumbers } from '../../harness/random.ts';
import { randomJson } from '../../harness/randomJson.ts';

const there = (text: string) => printJson(parseJson(text));
const number = (source: string) => new JsonNumber(source);

function object(text: string): Map<string, Json> {
  const json = parseJson(text);
  if (!isObject(json)) throw new Error(`not an object: ${text}`);
  return json;
}

function failure(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} was taken for JSON`);
}

describe('reading JSON', () => {
  it.each(['null', 'true', 'false', '""', '"a"', '[]', '{}', '0', '-0', '[[],{}]'])(
    'takes %s as a whole document, with blanks around it',
    (text) => {
      expect(there(text)).toBe(text);
      expect(there(` \t\r\n${text}\n `)).toBe(text);
    },
  );

  it.each([
    ...['9007199254740993', '-123456789012345678901234567890', '1.10', '-0', '-0.0'],
    ...['1e400', '-1E+400', '1e-400', '0.1000000000000000055511151231257827'],
  ])('keeps the number %s as it was written', (source) => {
    expect(parseJson(source)).toEqual(number(source));
    expect(there(`[${source},{"a":${source}}]`)).toBe(`[${source},{"a":${source}}]`);
  });

  it('keeps every key in its place, those that look like numbers too', () => {
    const text = '{"10":0,"b":0,"2":0,"a":0,"1":0,"-1":0,"01":0}';
    expect([...object(text).keys()]).toEqual(['10', 'b', '2', 'a', '1', '-1', '01']);
    expect(there(text)).toBe(text);
  });

  it('takes __proto__ and constructor for keys like any other', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"prototype":3,"toString":4}';
    expect(there(text)).toBe(text);
    expect(object(text).get('toString')).toEqual(number('4'));
    const plain = toPlain(parseJson(text)) as object;
    expect(Object.keys(plain)).toEqual(['__proto__', 'constructor', 'prototype', 'toString']);
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['"\\u00e9\\u8718"', 'é蜘'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\u0000\\u001b"', '\0\x1b'],
    ['"\\\\\\\\\\""', '\\\\"'],
    ['"\u2028\u007f\u009b"', '\u2028\u007f\u009b'],
    ['"{[,:]}"', '{[,:]}'],
  ])('reads the string %s by its escapes', (text, meaning) => {
    expect(parseJson(text)).toBe(meaning);
  });

  it('keeps half of a surrogate pair', () => {
    expect(parseJson('"a\\ud800"')).toBe('a\ud800');
    expect(parseJson('"\\udc00b"')).toBe('\udc00b');
    expect(there('{"\\ud800":"\\udc00\\ud800"}')).toBe('{"\\ud800":"\\udc00\\ud800"}');
  });

  it('agrees with JSON.parse about every document', () => {
    const next = randomNumbers(7);
    for (let count = 0; count < 2000; count += 1) {
      const text = randomJson(next);
      expect(toPlain(parseJson(text, { lastKeyCounts: true })), text).toEqual(JSON.parse(text));
    }
  });

  it('agrees with JSON.parse about what is not JSON', () => {
    const next = randomNumbers(8);
    const noise = ['', ...',:"\\{}[]0-.et\n\0'];
    const isRead = (read: () => unknown) => {
      try {
        read();
        return true;
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return false;
        throw error;
      }
    };
    for (let count = 0; count < 5000; count += 1) {
      const text = randomJson(next, 3);
      const at = next(text.length + 1);
      const broken = text.slice(0, at) + noise[next(noise.length)] + text.slice(at + next(3));
      const isOurs = isRead(() => parseJson(broken, { lastKeyCounts: true }));
      expect(isOurs, JSON.stringify(broken)).toBe(isRead(() => JSON.parse(broken)));
    }
  });
});

describe('a key that stands twice', () => {
  it('is an error in what a person wrote, at its second place, however it is escaped', () => {
    const error = failure('{\n  "name": "a",\n  "n\\u0061me": "b"\n}');
    expect(error.message).toMatch(/"name" at line 3, column 3$/);
    expect(error.near).toBe('"n\\u0061me": "b"');
  });

  it('counts for the last time in what a service sent, in its first place', () => {
    const json = parseJson('{"a":1,"b":2,"a":3}', { lastKeyCounts: true });
    expect(printJson(json)).toBe('{"a":3,"b":2}');
  });

  it('is no error in two different objects', () => {
    expect(there('[{"a":1},{"a":{"a":2}}]')).toBe('[{"a":1},{"a":{"a":2}}]');
  });
});

it.each(['[', '{"a":'])('a document of %s is read down to 500 levels, and then refused', (open) => {
  const nested = '['.repeat(500) + ']'.repeat(500);
  expect(there(nested)).toBe(nested);
  const error = failure(open.repeat(200_000));
  expect(error.message).toContain('500 levels');
  expect(error.line).toBe(1);
});

describe('text that is not JSON', () => {
  it.each([
    ['', 1, 1, 'expected a value, found the end of the input'],
    ['   ', 1, 4, 'expected a value, found the end of the input'],
    ['nul', 1, 1, 'expected a value, found "n"'],
    ["'a'", 1, 1, 'expected a value, found "\'"'],
    ['// note\n{}', 1, 1, 'expected a value, found "/"'],
    ['\ufeff{}', 1, 1, 'expected a value'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
    ['[1 2]', 1, 4, 'expected "," or "]", found "2"'],
    ['[1', 1, 3, 'expected "," or "]", found the end of the input'],
    ['[', 1, 2, 'expected a value, found the end of the input'],
    ['{', 1, 2, 'expected a quoted key, found the end of the input'],
    ['{"a":1,}', 1, 8, 'expected a quoted key, found "}"'],
    ['{a:1}', 1, 2, 'expected a quoted key, found "a"'],
    ['{"a" 1}', 1, 6, 'expected ":", found "1"'],
    ['{"a":}', 1, 6, 'expected a value, found "}"'],
    ['{"a":1 "b":2}', 1, 8, 'expected "," or "}", found "\\""'],
    ['{"a":1', 1, 7, 'expected "," or "}", found the end of the input'],
    ['{"a":😀}', 1, 6, 'expected a value, found "😀"'],
    ['{} {}', 1, 4, 'unexpected "{" after the end'],
    ['01', 1, 2, 'unexpected "1" after the end'],
    ['1.', 1, 2, 'unexpected "." after the end'],
    ['-', 1, 1, 'expected a value, found "-"'],
    ['.5', 1, 1, 'expected a value, found "."'],
    ['["a', 1, 2, 'invalid string: no closing quote'],
    ['["a\\"]', 1, 2, 'invalid string: no closing quote'],
    ['["\\x"]', 1, 2, 'an invalid escape'],
    ['["\\u12"]', 1, 2, 'an invalid escape'],
    ['["a\nb"]', 1, 2, 'a line break'],
    ['["\t"]', 1, 2, 'invalid string'],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8, 'expected a value, found "t"'],
    ['{\r\n  "a": 1,\r\n  "b"\r\n}', 4, 1, 'expected ":", found "}"'],
    ['\n\n[1,\n\n', 5, 1, 'expected a value, found the end of the input'],
  ])('%j is reported by line %i, column %i: %s', (text, line, column, reason) => {
    const error = failure(text);
    expect(error.message).toContain(reason);
    expect(error.message).toMatch(new RegExp(` at line ${line}, column ${column}$`));
    expect(error).toMatchObject({ line, column });
  });

  it('is shown around the place, on that line alone, and in part when it is long', () => {
    const error = failure('{\n  "asset": a-1001,\n  "language": "fra"\n}');
    expect(error.near).toBe('"asset": a-1001,');
    const { near } = failure(`{"a":"${'x'.repeat(500)}" 5, "b":"${'y'.repeat(500)}"}`);
    expect(near).toContain('" 5, "b":"');
    expect(near.length).toBeLessThanOrEqual(60);
    expect(failure('').near).toBe('');
  });
});
