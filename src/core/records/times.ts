import type * as z from 'zod/mini';
import { type FieldSchemas, fieldBelow } from '../api/schemaWalk.ts';
import type { PathStep } from '../json/path.ts';
import { isObject, type Json } from '../json/value.ts';

export type IsTime = (schema: z.core.$ZodType) => boolean;

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
