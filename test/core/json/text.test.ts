import { describe, expect, it } from 'vitest';
import { compact, pretty, splitArray, stringEnd } from '../../../src/core/json/text.ts';
import { randomNumbers } from '../../harness/random.ts';
import { randomJson, tokensOf } from '../../harness/randomJson.ts';

/** The characters that must not stand bare, as they are written when they do not. */
const escaped = (token: string) =>
  token.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

describe('compact', () => {
  it.each([
    [' { "a b" : [ 1 ,\n\t2.0 ] , "c" : " \\" , : " }\r\n', '{"a b":[1,2.0],"c":" \\" , : "}'],
    ['{"a":9007199254740993,"b":"\\u0041\\/"}', undefined],
    // Only what a terminal would obey is escaped.
    ['{"é蜘👩‍👧":"می\u200cخواهم \u200f\u00a0~"}', undefined],
  ])('takes blanks away between tokens and none inside strings: %j', (text, line) => {
    expect(compact(text)).toBe(line ?? text);
  });
});

describe('pretty', () => {
  it('indents by two and keeps empty arrays and objects on their line', () => {
    const value = { a: [1, [2, { b: null }], []], c: {}, d: '{[,:]}', e: [{}, [[]]] };
    expect(pretty(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it.each(['1.0', '"a"', 'null', '[]', '{}'])('leaves %s on one line', (text) => {
    expect(pretty(text)).toBe(text);
  });
});

it('both are the same document, token by token', () => {
  const next = randomNumbers(11);
  for (let count = 0; count < 1500; count += 1) {
    const text = randomJson(next);
    const [line, shown] = [compact(text), pretty(text)];
    expect(line).toBe(tokensOf(text).map(escaped).join(''));
    expect(tokensOf(shown)).toEqual(tokensOf(text).map(escaped));
    expect(JSON.parse(shown)).toEqual(JSON.parse(text));
    expect(compact(shown)).toBe(line);
  }
});

describe('splitArray', () => {
  it.each([
    ['[]', []],
    [' [ ] ', []],
    ['[1]', ['1']],
    ['[[],[[]],{}]', ['[]', '[[]]', '{}']],
    ['["a,b","]","[","\\"],"]', ['"a,b"', '"]"', '"["', '"\\"],"']],
    ['[{"a":[1,2],"b":"}"},3]', ['{"a":[1,2],"b":"}"}', '3']],
    ['[9007199254740993,1.0]', ['9007199254740993', '1.0']],
  ])('%s has the elements %j', (text, elements) => {
    expect(splitArray(text)).toEqual(elements);
  });

  it('gives the text of each element of any array', () => {
    const next = randomNumbers(13);
    for (let count = 0; count < 500; count += 1) {
      const elements = Array.from({ length: next(6) }, () => randomJson(next, 3));
      const text = `\n [${elements.join(',')}] `;
      expect(splitArray(text)).toEqual(elements);
    }
  });
});

it.each([
  ['compact', compact],
  ['pretty', pretty],
])('what a terminal would obey is written as escapes by %s', (_name, print) => {
  const controls = Array.from({ length: 33 }, (_, index) => 0x7f + index);
  const marks = [0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e];
  for (const code of [...controls, ...marks, 0x2066, 0x2067, 0x2068, 0x2069]) {
    const text = `{"k${String.fromCharCode(code)}":["v${String.fromCharCode(code)}"]}`;
    const printed = print(text);
    expect(printed).not.toContain(String.fromCharCode(code));
    expect(printed).toContain(`\\u${code.toString(16).padStart(4, '0')}`);
    expect(JSON.parse(printed)).toEqual(JSON.parse(text));
  }
});

describe('stringEnd', () => {
  it.each([
    ['"a"b', 3],
    ['"\\""x', 4],
    ['"\\\\"x', 4],
    ['"\\\\\\""x', 6],
    ['""', 2],
    ['"never', 6],
    ['"never\\"', 8],
  ])('the string that opens %s ends at %i', (text, end) => {
    expect(stringEnd(text, 0)).toBe(end);
  });
});
