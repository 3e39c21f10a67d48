import type * as z from 'zod/mini';
import { type FieldSchemas, fieldBelow } from '../api/schemaWalk.ts';
import type { PathStep } from '../json/path.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { type KnownUnit, knownUnits, readTime } from '../values/time.ts';

export type IsTime = (schema: z.core.$ZodType) => boolean;

export const unitOf = (value: Json | undefined): KnownUnit | undefined =>
  value instanceof JsonNumber ? knownUnits.find((unit) => readTime(value, unit)) : undefined;

/** The unit of the first time that a record holds. */
export function unitIn(json: Json, field: FieldSchemas, isTime: IsTime): KnownUnit | undefined {
  if (field.some(isTime)) return unitOf(json);
  for (const [step, value] of childrenOf(json)) {
    const below = fieldBelow(field, step);
    const unit = below.length > 0 ? unitIn(value, below, isTime) : undefined;
    if (unit) return unit;
  }
  return undefined;
}

interface TimeText {
  steps: readonly PathStep[];
  text: string;
}

/** The strings of a record where a time belongs. */
export function timeStrings(
  json: Json,
  field: FieldSchemas,
  isTime: IsTime,
  steps: readonly PathStep[] = [],
): TimeText[] {
  if (typeof json === 'string') return field.some(isTime) ? [{ steps, text: json }] : [];
  const found: TimeText[] = [];
  for (const [step, value] of childrenOf(json)) {
    const below = fieldBelow(field, step);
    if (below.length === 0) continue;
    // One by one: a call takes fewer arguments than a list may have elements.
    for (const one of timeStrings(value, below, isTime, [...steps, step])) found.push(one);
  }
  return found;
}

function childrenOf(json: Json): Iterable<[string | number, Json]> {
  if (isObject(json)) return json;
  return Array.isArray(json) ? json.entries() : [];
}
