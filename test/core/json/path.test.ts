import { describe, expect, it } from 'vitest';
import { extendPath, type PathStep, parsePath } from '../../../src/core/json/path.ts';
import { randomNumbers } from '../../harness/random.ts';

describe('a path', () => {
  it.each<[string, PathStep[]]>([
    ['name', ['name']],
    ['due.tz', ['due', 'tz']],
    ['uses.items[0]', ['uses', 'items', 0]],
    ['a[0][12].b', ['a', 0, 12, 'b']],
    ['[3]', [3]],
    ['recipients["2D Scope"]', ['recipients', '2D Scope']],
    ["recipients['2D Scope'].x", ['recipients', '2D Scope', 'x']],
    ['["a.b"]["[0]"]', ['a.b', '[0]']],
    ['["say \\"\\u00e9\\""]', ['say "é"']],
    ['[""]', ['']],
    ['$links.self', ['$links', 'self']],
    ['a.0', ['a', '0']],
    ['naïve.蜘蛛', ['naïve', '蜘蛛']],
    ['two words.x', ['two words', 'x']],
    ['_proto_.constructors', ['_proto_', 'constructors']],
  ])('%s is taken apart', (path, steps) => {
    expect(parsePath(path)).toEqual(steps);
  });

  it.each([
    ...['', '.', '.a', 'a.', 'a..b', 'a[', 'a[]', 'a]', 'a[0', 'a[-1]', 'a[01]', 'a[1.5]'],
    ...['a[x]', 'a[0]b', 'a.[0]', 'a"b"', 'a["b]', 'a["\\x"]', "a['b", 'a\\b'],
  ])('%j is none, and is not guessed at', (path) => {
    expect(() => parsePath(path)).toThrow(JSON.stringify(path));
  });

  it.each([
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'a.__proto__',
      '__proto__.a',
      '["\\u005f_proto__"]',
    ],
    ...['a[0].constructor.b', 'a["constructor"]', "['prototype']"],
  ])('%s is refused, since it leaves the record', (path) => {
    expect(() => parsePath(path)).toThrow(/: .*(?:__proto__|constructor|prototype)$/);
  });
});

describe('a path with one more step', () => {
  it.each<[string, PathStep, string]>([
    ['', 'a', 'a'],
    ['', 0, '[0]'],
    ['a', 'b', 'a.b'],
    ['a', 3, 'a[3]'],
    ['a[3]', 'b', 'a[3].b'],
    ['a', '2D Scope', 'a["2D Scope"]'],
    ['', 'a.b', '["a.b"]'],
    ['a', '', 'a[""]'],
    ['a', 'x=y', 'a["x=y"]'],
    ['a', '\x1b"', 'a["\\u001b\\""]'],
  ])('%j and %j make %s', (path, step, longer) => {
    expect(extendPath(path, step)).toBe(longer);
  });

  it('is taken apart into the same steps again', () => {
    const next = randomNumbers(5);
    const pieces = [...`aZ0.[]"'\\ =é蜘\n\ud800`];
    for (let count = 0; count < 2000; count += 1) {
      const steps = Array.from({ length: 1 + next(4) }, () =>
        next(3) === 0
          ? next(20)
          : Array.from({ length: next(5) }, () => pieces[next(pieces.length)]).join(''),
      );
      const path = steps.reduce<string>(extendPath, '');
      expect(parsePath(path), path).toEqual(steps);
    }
  });
});
