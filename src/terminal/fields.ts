import { isObject, type Json, JsonNumber } from '../json/value.ts';

/** The fields of a record, whether it is lossless JSON or ordinary values; none for all else. */
export function fieldsOf(value: unknown): [key: string, value: unknown][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return isObject(value as Json) ? [...(value as Map<string, unknown>)] : Object.entries(value);
}

/** A record's own field. */
export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
