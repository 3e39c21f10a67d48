import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extendPath, type PathStep } from '../../../src/core/json/path.ts';
import {
  copyOf,
  isObject,
  isSame,
  type Json,
  JsonNumber,
  type JsonObject,
  printJson,
} from '../../../src/core/json/value.ts';
import { editableText } from '../../../src/core/records/editableText.ts';
import { Fingerprint } from '../../../src/core/records/fingerprint.ts';
import { merge } from '../../../src/core/records/merge.ts';
import { parseYaml } from '../../../src/core/records/parseYaml.ts';
import { differences } from '../../../src/core/records/recordDiff.ts';
import { applyEdits } from '../../../src/core/records/setFields.ts';

const refused = ['__proto__', 'constructor', 'prototype'];
const key = fc.oneof(
  fc.constantFrom('a', 'b', '_id', 'a.b', '2D Scope', '1', '', '~/x', '"', '<<', 'no', ...refused),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const number = fc
  .oneof(
    fc.constantFrom('1.0', '-0', '9007199254740993', '1e400', '0.10', '1E5'),
    fc.integer().map(String),
  )
  .map((source) => new JsonNumber(source));
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('no', '1', '2024-01-01', ' x ', 'a\nb\n', '\n', 'a: b', '# x', '- x', '\ud800'),
  fc.constantFrom('\t', 'x\r\ny', '"', "'", '~', '\u0085', '\ufeff', '%', '*a', '@x', '---', '...'),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const { json } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    tie('object'),
    namedElements(tie('json')),
  ),
  object: objectOf(tie('json')),
}));
const record = objectOf(json);

function objectOf(value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => new Map(entries));
}

function namedElements(value: fc.Arbitrary<Json>): fc.Arbitrary<Json[]> {
  const ids = fc.uniqueArray(fc.constantFrom('p-1', 'p-2', 'p-3', 'p 4'), { maxLength: 4 });
  const values = fc.array(value, { minLength: 4, maxLength: 4 });
  return fc
    .tuple(ids, values)
    .map(([names, values]) => names.map((name, index) => element(name, 'value', values[index])));
}

const element = (id: string, name: string, value: Json = null): Json =>
  new Map<string, Json>([
    ['_id', id],
    [name, value],
  ]);

/** Two records that have much in common: one is the other with some fields changed. */
const pair = fc
  .tuple(
    record,
    fc.array(fc.tuple(key, json), { maxLength: 3 }),
    fc.array(fc.nat(), { maxLength: 3 }),
  )
  .map(([before, changes, drops]): [JsonObject, JsonObject] => {
    const after = copyOf(before) as JsonObject;
    for (const drop of drops) {
      const name = [...after.keys()][drop % Math.max(1, after.size)];
      if (name !== undefined) after.delete(name);
    }
    for (const [name, value] of changes) {
      const array = after.get(name);
      if (Array.isArray(array)) array.splice(array.length / 2, 1, value);
      else after.set(name, value);
    }
    return [before, after];
  });

/** Holds for all such values. */
const holds = <Values extends [unknown, ...unknown[]]>(
  ...property: Parameters<typeof fc.property<Values>>
) => fc.assert(fc.property<Values>(...property));

const pathOf = (steps: readonly PathStep[]) => steps.reduce<string>(extendPath, '');

describe('the difference', () => {
  it('of elements with ids is empty for the same elements in the same order only', () => {
    const elements = namedElements(scalar);
    fc.assert(
      fc.property(elements, elements, fc.boolean(), (old, now, isNested) => {
        const wrap = (array: Json[]): Json => new Map([['x', isNested ? [array] : array]]);
        expect(differences(wrap(old), wrap(now)).length === 0).toBe(isSame(old, now));
      }),
      { numRuns: 300 },
    );
  });

  it('is empty for records that are the same, and for no others', () => {
    holds(pair, ([before, after]) => {
      expect(differences(before, after).length === 0).toBe(isSame(before, after));
      expect(differences(before, copyOf(before))).toEqual([]);
    });
  });
});

describe('a change', () => {
  it('leaves all other values as they were, to the digit', () => {
    const paths = fc.constantFrom('x', 'x.y', 'x[0]', 'x["1"].z');
    holds(record, paths, json, (before, path, value) => {
      before.delete('x');
      const after = copyOf(before) as JsonObject;
      applyEdits(after, [{ kind: 'set', text: `${path}=${printJson(value)}` }]);
      expect([...after.keys()]).toEqual([...before.keys(), 'x']);
      after.delete('x');
      expect(printJson(after)).toBe(printJson(before));
    });
  });

  it('that is set and unset again leaves the record as it was', () => {
    holds(record, key, json, (before, name, value) => {
      fc.pre(!before.has(name) && !refused.includes(name));
      const path = pathOf([name]);
      const after = copyOf(before) as JsonObject;
      applyEdits(after, [{ kind: 'set', text: `${path}=${printJson(value)}` }]);
      expect(isSame(after.get(name), value)).toBe(true);
      applyEdits(after, [{ kind: 'unset', text: path }]);
      expect(printJson(after)).toBe(printJson(before));
    });
  });

  it('reaches no prototype', () => {
    const names = () => Object.getOwnPropertyNames(Object.prototype).sort();
    const before = names();
    holds(pair, fc.constantFrom(...refused), ([one, other], bad) => {
      for (const text of [`${bad}.x=1`, `a.${bad}=1`, `["${bad}"][0]=1`, `x=${printJson(one)}`]) {
        try {
          applyEdits(copyOf(one), [{ kind: 'set', text }]);
        } catch {
          // Refused, which is as well.
        }
      }
      merge(one, other, one);
      differences(one, other);
      expect(names()).toEqual(before);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    });
  });
});

describe('a merge', () => {
  it('of what only one side changed is that side', () => {
    holds(pair, ([base, changed]) => {
      expect(isSame(merge(base, changed, base).record, changed)).toBe(true);
      expect(isSame(merge(base, base, changed).record, changed)).toBe(true);
      expect(merge(base, changed, changed)).toMatchObject({ conflicts: [] });
    });
  });

  it('of changes to fields of their own has both, and no conflict', () => {
    holds(record, json, json, (base, mine, theirs) => {
      const my = new Map(base).set('mine', mine);
      const their = new Map(base).set('theirs', theirs);
      base.delete('mine');
      base.delete('theirs');
      my.delete('theirs');
      their.delete('mine');
      const { record: merged, conflicts } = merge(base, my, their);
      expect(conflicts).toEqual([]);
      expect(isSame(merged, new Map(base).set('mine', mine).set('theirs', theirs))).toBe(true);
    });
  });
});

describe('the text for an editor', () => {
  it('left as it is, is the record that it was made from', () => {
    let asJson = 0;
    holds(record, (before) => {
      const text = editableText(before);
      if (text.startsWith('{')) asJson += 1;
      expect(isSame(parseYaml(text) ?? new Map(), before)).toBe(true);
    });
    expect(asJson).toBeLessThan(50);
  });
});

describe('the guard', () => {
  const number = fc.constantFrom('0', '1', '2').map((source) => new JsonNumber(source));
  const names = fc.constantFrom('a', 'b');
  const fieldsOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
    fc.dictionary(names, value, { minKeys: 1 }).map((fields) => new Map(Object.entries(fields)));
  // In one order: an order is told as well, which the oracle does not see.
  const elements = fc
    .dictionary(fc.constantFrom('p-1', 'p-2', 'p-3'), number, { minKeys: 1 })
    .map((values) =>
      Object.entries(values)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, value]) => element(id, 'v', value)),
    );
  const small = fieldsOf(fc.oneof(number, fieldsOf(number), elements));

  /** Values by their paths, computed independently of the fingerprints. */
  function flat(json: Json, path = '', found = new Map<string, string>()): Map<string, string> {
    if (isObject(json)) for (const [name, value] of json) flat(value, `${path}.${name}`, found);
    else if (Array.isArray(json)) {
      // A list that others removed must not come back, even with other elements.
      found.set(`${path}[]`, 'list');
      for (const one of json as JsonObject[]) flat(one, `${path}/${one.get('_id')}`, found);
    } else found.set(path, printJson(json));
    return found;
  }

  it('stops what would undo a change of others, and nothing else', () => {
    fc.assert(
      fc.property(small, small, small, (base, theirs, mine) => {
        const [was, is, becomes] = [flat(base), flat(theirs), flat(mine)];
        const isUndone = [...new Set([...was.keys(), ...is.keys()])].some(
          (path) => was.get(path) !== is.get(path) && becomes.get(path) !== is.get(path),
        );
        const found = Fingerprint.of(base).overwritten(mine, theirs);
        expect(found.length > 0).toBe(isUndone);
      }),
      { numRuns: 300 },
    );
  });
});
