import type * as z from 'zod/mini';
import { type FieldSchemas, fieldBelow } from '../api/schemaWalk.ts';
import type { PathStep } from '../json/path.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { type KnownUnit, knownUnits, readTime } from '../values/time.ts';

export type IsTime = (schema: z.core.$ZodType) => boolean;

export const unitOf = (value: Json | undefined): KnownUnit | undefined =>
  value instanceof JsonNumber ? knownUnits.find((unit) => readTime(value, unit)) : undefined;

/** The values of a record where a time belongs. */
export function* timesIn(
  json: Json,
  field: FieldSchemas,
  isTime: IsTime,
  steps: readonly PathStep[] = [],
): Generator<{ steps: readonly PathStep[]; value: Json }> {
  if (field.some(isTime)) yield { steps, value: json };
  const children: Iterable<[PathStep, Json]> = Array.isArray(json) ? json.entries() : [];
  for (const [step, value] of isObject(json) ? json : children) {
    const below = fieldBelow(field, step);
    if (below.length > 0) yield* timesIn(value, below, isTime, [...steps, step]);
  }
}
