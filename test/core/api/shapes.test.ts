import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleRecords } from '../../../scripts/generate/examples.ts';
import type { SchemaName } from '../../../src/core/api/endpoints.ts';
import { hasShape, type Shape, schemaMismatches } from '../../../src/core/api/schemaMismatch.ts';
import { schemas } from '../../../src/core/api/schemas.ts';
import shapes from '../../../src/core/api/shapes.json' with { type: 'json' };
import { fromPlain } from '../../../src/core/json/value.ts';

const names = Object.keys(schemas) as SchemaName[];
const shapeOf = (name: SchemaName): Shape => JSON.parse(shapes[name]);
const isClean = (name: SchemaName, value: unknown) =>
  schemaMismatches(schemas[name](), fromPlain(value)).length === 0;

/** A value with one of its parts replaced: at a place that the numbers pick. */
function spoilt(value: unknown, picks: readonly number[], other: unknown): unknown {
  const [pick = 0, ...rest] = picks;
  const isContainer = typeof value === 'object' && value !== null;
  const keys = isContainer ? Object.keys(value) : [];
  const key = keys[pick % (keys.length || 1)];
  if (key === undefined || picks.length === 0) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = spoilt(copy[key], rest, other);
  return copy;
}

describe.each(names)('the shape of %s', (name) => {
  it('accepts and refuses what its schema does', () => {
    const samples: unknown[] = [...Object.values(exampleRecords()), {}, null, [], 'text', 1];
    for (const sample of samples) {
      expect(hasShape(shapeOf(name), sample)).toBe(isClean(name, sample));
    }
    const others = fc.constantFrom<unknown>(null, 'x', 1, 1.5, true, [], {}, [1], { a: 1 }, ['x']);
    void fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }),
        others,
        (sample, picks, other) => {
          const value = spoilt(sample, picks, other);
          expect(hasShape(shapeOf(name), value)).toBe(isClean(name, value));
        },
      ),
      { numRuns: 300 },
    );
  });
});
