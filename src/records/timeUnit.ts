import type * as z from 'zod/mini';
import { type Field, fieldBelow } from '../api/fieldAt.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { readTime, type TimeUnit } from '../terminal/time.ts';

export type KnownUnit = Exclude<TimeUnit, 'auto'>;

/** Tells a point in time by its schema. */
export type IsTime = (schema: z.core.$ZodType) => boolean;

const units: readonly KnownUnit[] = ['s', 'ms', 'us'];

/** The unit in which a number reads as a time. */
export const unitOf = (value: Json | undefined): KnownUnit | undefined =>
  value instanceof JsonNumber ? units.find((unit) => readTime(value, unit)) : undefined;

/** The unit of the first time that a record holds. */
export function unitIn(json: Json, field: Field, isTime: IsTime): KnownUnit | undefined {
  if (field.some(isTime)) return unitOf(json);
  for (const [step, value] of childrenOf(json)) {
    const below = fieldBelow(field, step);
    const unit = below.length > 0 ? unitIn(value, below, isTime) : undefined;
    if (unit) return unit;
  }
  return undefined;
}

function childrenOf(json: Json): Iterable<[string | number, Json]> {
  if (isObject(json)) return json;
  return Array.isArray(json) ? json.entries() : [];
}
