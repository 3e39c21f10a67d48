import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/parse.ts';
import { fromPlain, printJson, toPlain } from '../../../src/core/json/value.ts';
import { randomNumbers } from '../../harness/random.ts';
import { randomJson } from '../../harness/randomJson.ts';

describe('printing JSON', () => {
  it('writes one line without blanks, whatever it was read from', () => {
    const text = '{\n "a" : [ 1 , 2.0 , { } , [ ] ] ,\t"b" : null }';
    expect(printJson(parseJson(text))).toBe('{"a":[1,2.0,{},[]],"b":null}');
  });

  it('writes controls and half surrogate pairs as escapes, in keys and in values', () => {
    const json = new Map([['\x1b\ud800', '\0\n\udc00']]);
    expect(printJson(json)).toBe('{"\\u001b\\ud800":"\\u0000\\n\\udc00"}');
  });

  it('reads back as the same document', () => {
    const next = randomNumbers(3);
    for (let count = 0; count < 1000; count += 1) {
      const json = parseJson(randomJson(next), { lastKeyCounts: true });
      const printed = printJson(json);
      expect(parseJson(printed)).toEqual(json);
      expect(toPlain(json)).toEqual(JSON.parse(printed));
    }
  });
});

describe('JSON from ordinary values', () => {
  it('leaves out fields that are undefined and keeps big integers', () => {
    const value = { b: 9007199254740993n, a: undefined, list: [1.5, 'x', null, true], deep: {} };
    expect(printJson(fromPlain(value))).toBe(
      '{"b":9007199254740993,"list":[1.5,"x",null,true],"deep":{}}',
    );
  });

  it('is JSON for the largest and the smallest number', () => {
    const text = printJson(fromPlain([Number.MAX_VALUE, Number.MIN_VALUE, 1e21, -0]));
    expect(JSON.parse(text)).toEqual([Number.MAX_VALUE, Number.MIN_VALUE, 1e21, 0]);
  });

  it.each([() => 1, Symbol('x'), [[undefined]], Number.NaN, Number.NEGATIVE_INFINITY])(
    'is refused for %s',
    (value) => {
      expect(() => fromPlain(value)).toThrow();
    },
  );
});
