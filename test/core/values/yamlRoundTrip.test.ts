import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/parse.ts';
import { type Json, JsonNumber, type JsonObject } from '../../../src/core/json/value.ts';
import { parseYaml } from '../../../src/core/records/parseYaml.ts';
import { printYaml } from '../../../src/core/values/yaml.ts';

const word = fc.constantFrom(
  ...['a', 'B', ' ', '  ', '\n', '\n\n', '\t', ':', '#', '-', '?', '"', "'", '1', '.', 'e5', '0x1'],
  ...['null', '~', 'true', '%', '@', '|', '>', '[', '{', ',', '&', '*', '!', '`', 'é', '日', '---'],
  ...['...', '\\', '\u00a0', '\u2028', '😀', '+', '=', '<a', '2026-11-15', '16:9', 'no', 'y'],
);
const anyString = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(''));

function records(string: fc.Arbitrary<string>): fc.Arbitrary<JsonObject> {
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      string,
      fc
        .constantFrom('1.0', '9007199254740993', '1e5', '-0')
        .map((source) => new JsonNumber(source)),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(string, tie('value')), { maxLength: 3 }).map((fields) => new Map(fields)),
    ),
  }));
  return fc
    .array(fc.tuple(string, value), { minLength: 1, maxLength: 4 })
    .map((fields) => new Map(fields));
}

describe('YAML', () => {
  it('reads back as the same record', () => {
    fc.assert(
      fc.property(records(anyString), (json) => {
        expect(parseYaml(printYaml(json))).toEqual(json);
      }),
      { numRuns: 500 },
    );
  });

  it('has text of several lines in a block', () => {
    const json = parseJson(
      '{"instructions":"One\\ntwo\\n","due":{"tz":"Europe/Paris","days":1.0}}',
    );
    expect(printYaml(json)).toBe(
      'instructions: |\n  One\n  two\ndue:\n  tz: Europe/Paris\n  days: 1.0\n',
    );
  });
});
