import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from '../../../src/core/json/parse.ts';
import { fromPlain, toPlain } from '../../../src/core/json/value.ts';
import { parseYaml } from '../../../src/core/records/parseYaml.ts';
import { printYaml } from '../../../src/core/values/yaml.ts';
import { randomNumbers } from '../../harness/random.ts';
import { randomJson } from '../../harness/randomJson.ts';
import { hostile, randomTexts, texts } from '../output/samples.ts';

const yamlOf = (json: string) => printYaml(parseJson(json));

describe('YAML', () => {
  it('keeps the order of keys, and nests by indents', () => {
    const json = '{"_id":"a","2":[1,{"x":null,"z":[]},[[true]]],"1":{},"$links":{"b c":"d: e"}}';
    expect(yamlOf(json)).toBe(
      [
        '_id: a',
        '"2":',
        '  - 1',
        '  - x: null',
        '    z: []',
        '  - - - true',
        '"1": {}',
        '$links:',
        '  b c: "d: e"',
        '',
      ].join('\n'),
    );
  });

  it('is an entry of a sequence where that is asked for', () => {
    expect(printYaml(parseJson('{"a":1,"b":{"c":2}}'), { item: true })).toBe(
      '- a: 1\n  b:\n    c: 2\n',
    );
  });

  it.each(['9007199254740993', '-0', '1.0', '0.10', '1e400', '123456789012345678901234567890'])(
    'keeps the digits of %s',
    (number) => {
      expect(yamlOf(number)).toBe(`${number}\n`);
      expect(parseYaml(yamlOf(number))).toEqual(parseJson(number));
    },
  );

  const ambiguous = [
    ...['y', 'N', 'NO', 'no', 'on', 'Off', 'yes', 'True', 'null', 'Null', '~', '', '.nan', '-.INF'],
    ...['2001-12-14', '2001-12-14t21:59:43.10-05:00', '12:30:45', '1e3', '0o14', '014', '0x1F'],
    ...['1_000', '0b101', '+1', '.5', '5.', '-', '--- a', '...', '? a', ': a', '- a', '#a', 'a #b'],
    ...[...`&*!%@\`{['" \t\ufeff`].map((first) => `${first}a`),
    ...['a: b', 'a:', '|', '>', '<<', '=', 'a ', 'a  b', 'a\nb', 'a\n', 'a\\b', 'a\u2028b'],
    ...'\\\u00a0\x00',
  ];
  const samples = [...ambiguous, ...hostile, ...Object.values(texts), ...randomTexts(300, 12)];

  it.each(['1.1', '1.2'] as const)('is read back as it was by YAML %s', (version) => {
    for (const text of samples) {
      for (const value of [text, { [text]: text }, [[text], { a: { [text]: [text] } }]]) {
        const yaml = printYaml(fromPlain(value));
        expect(parse(yaml, { version, uniqueKeys: false }), yaml).toEqual(value);
      }
    }
  });

  it('is read back as it was whatever the record', () => {
    const next = randomNumbers(7);
    for (let count = 0; count < 300; count += 1) {
      const json = parseJson(randomJson(next), { lastKeyCounts: true });
      const again = parseYaml(printYaml(json));
      expect(JSON.stringify(toPlain(again))).toBe(JSON.stringify(toPlain(json)));
    }
  });

  it('is read back with keys that are longer than a line may be', () => {
    const value = { ['k'.repeat(5000)]: 1, ['"'.repeat(5000)]: { a: [1] } };
    expect(parse(printYaml(fromPlain(value)))).toEqual(value);
  });

  it.each(['=', '<<', '.', '日 \u202e', '%'])('has %j in quotes, for other readers', (text) => {
    expect(printYaml(text)).toMatch(/^".*"\n$/);
  });

  it.each(['a\ufffe', 'a\uffffb'])('escapes what YAML does not allow: %j', (text) => {
    const yaml = printYaml(text);
    expect(yaml).toMatch(/^"a\\uff?f[ef]b?"\n$/);
    expect(parse(yaml)).toBe(text);
  });

  it('leaves words without quotes', () => {
    for (const text of [
      'wr-2001',
      'The Harbor Light – Trailer A',
      '/tmp/x',
      'https://a.example/b?c=d',
    ]) {
      expect(printYaml(text)).toBe(`${text}\n`);
    }
  });
});
