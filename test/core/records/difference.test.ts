import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/parse.ts';
import type { JsonObject } from '../../../src/core/json/value.ts';
import { createStyle } from '../../../src/core/output/style.ts';
import { merge } from '../../../src/core/records/merge.ts';
import { differences } from '../../../src/core/records/recordDiff.ts';
import { displayWidth } from '../../../src/core/values/width.ts';
import { differenceLines } from '../../../src/core/writes/diff.ts';

const plain = createStyle(false);

const unchanged = (text: string) => text;

const lines = (before: string, after: string, width?: number, redact = unchanged) =>
  differenceLines(differences(parseJson(before), parseJson(after)), plain, { width, redact }).join(
    '\n',
  );

describe('a difference', () => {
  it.each([
    ['{"a":1}', '{"a":1.0}', '  a\n    - 1\n    + 1.0'],
    ['{"a":{"b":1,"c":2}}', '{"a":{"b":1,"c":3}}', '  a.c\n    - 2\n    + 3'],
    ['{}', '{"2D Scope":[]}', '  ["2D Scope"]\n    + []'],
    ['{"a":null}', '{}', '  a\n    - null'],
    ['{"t":["x","y","z"]}', '{"t":["x","z"]}', '  t[1]\n    - "y"'],
    ['{"t":["x"]}', '{"t":["x","y"]}', '  t[1]\n    + "y"'],
    [
      '{"p":[{"_id":"1","l":"A"},{"_id":"2","l":"B"}]}',
      '{"p":[{"_id":"2","l":"C"},{"_id":"3"}]}',
      '  p[_id=1]\n    - {"_id":"1","l":"A"}\n  p[_id=2].l\n    - "B"\n    + "C"\n  p[_id=3]\n    + {"_id":"3"}',
    ],
    [
      '{"p":[{"id":"1"},{"id":"a b"}]}',
      '{"p":[{"id":"a b"},{"id":"1"}]}',
      '  p (order)\n    - ["1","a b"]\n    + ["a b","1"]',
    ],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', ''],
  ])('of %s and %s is shown field by field', (before, after, shown) => {
    expect(lines(before, after)).toBe(shown);
  });

  it('shows no secret, and nothing that a terminal would obey', () => {
    const shown = lines(
      '{"password":"old","a":"\\u001b[31m","x":{"password":"old"}}',
      '{"password":"new","a":"\\u009b31m","x":1}',
    );
    expect(shown).not.toMatch(/old|new/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it.each([40, 80, 200])('fits %s columns, and still shows where values differ', (width) => {
    const long = '蜘蛛 and words '.repeat(40);
    const shown = lines(`{"a":"${long}old"}`, `{"a":"${long}new"}`, width);
    for (const line of shown.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(shown).toMatch(/old[\s\S]*new/);
  });

  it('has no secret in it, not even where a value is cut', () => {
    const redact = (text: string) => text.replaceAll('s3cret', '[redacted]');
    for (let before = 0; before < 60; before += 1) {
      const value = JSON.stringify({ a: `${'x'.repeat(before)}s3cret${'y'.repeat(60)}` });
      expect(lines('{}', value, 40, redact)).not.toContain('s3');
    }
  });

  it('is red and green where there is colour', () => {
    const found = differences(parseJson('{"a":1}'), parseJson('{"a":2}'));
    const shown = differenceLines(found, createStyle(true), { redact: unchanged }).join('\n');
    expect(shown).toContain('\u001b[31m    - 1');
    expect(shown).toContain('\u001b[32m    + 2');
  });
});

describe('a merge', () => {
  const merged = (base: string, mine: string, theirs: string) => {
    const object = (text: string) => parseJson(text) as JsonObject;
    const { record, conflicts } = merge(object(base), object(mine), object(theirs));
    return { record, paths: conflicts.map(({ path }) => path) };
  };

  it.each([
    ['{"t":["a"]}', '{"t":["a","m"]}', '{"t":["a","o"]}', '{"t":["a","o","m"]}'],
    ['{"t":["a"]}', '{"t":["a","m"]}', '{"t":[]}', '{"t":["m"]}'],
    [
      '{"p":[{"_id":"1","l":1},{"_id":"2","l":1}]}',
      '{"p":[{"_id":"1","l":2},{"_id":"2","l":1}]}',
      '{"p":[{"_id":"2","l":3},{"_id":"1","l":1},{"_id":"3"}]}',
      '{"p":[{"_id":"2","l":3},{"_id":"1","l":2},{"_id":"3"}]}',
    ],
    ['{"a":{"b":1}}', '{"a":{"b":1,"m":1}}', '{"a":{"b":2}}', '{"a":{"b":2,"m":1}}'],
    ['{"a":1,"b":1}', '{"b":1}', '{"a":1,"b":2}', '{"b":2}'],
  ])('of %s, %s and %s has both changes', (base, mine, theirs, result) => {
    expect(merged(base, mine, theirs)).toEqual({ record: parseJson(result), paths: [] });
  });

  it.each([
    ['{"a":1}', '{"a":2}', '{"a":3}', 'a'],
    ['{"a":1}', '{}', '{"a":3}', 'a'],
    ['{"a":{"b":1}}', '{"a":{"b":2}}', '{"a":5}', 'a'],
    ['{"t":["a"]}', '{"t":["b"]}', '{"t":["c"]}', 't'],
    ['{"p":[{"_id":"1","l":1}]}', '{"p":[]}', '{"p":[{"_id":"1","l":2}]}', 'p[_id=1]'],
  ])('of %s, %s and %s is a conflict', (base, mine, theirs, path) => {
    expect(merged(base, mine, theirs).paths).toEqual([path]);
  });
});
