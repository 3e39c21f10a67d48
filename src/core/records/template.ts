import type * as z from 'zod/mini';
import { schemaParts } from '../api/schemaWalk.ts';
import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { printYaml } from '../values/yaml.ts';
import { isReference, referenceTo } from './references.ts';
import type { IsTime } from './times.ts';

/** The fields of an order that people fill in first. */
export const firstFields = [
  'asset',
  'project',
  'language',
  'territory',
  'due',
  'instructions',
  'uses',
];

/**
 * A record to fill in: the given fields, then all other known fields as comments. A `#` without a
 * blank after it comments a field out.
 */
export function templateOf(
  schema: z.ZodMiniType,
  given: JsonObject,
  { first = [], leaveOut }: { first?: readonly string[]; leaveOut: readonly string[] },
  isTime: IsTime,
): string {
  const { shape = {} } = schemaParts(schema);
  const others: JsonObject = new Map();
  for (const name of new Set([...first, ...Object.keys(shape)])) {
    // Fields whose name starts with `$` belong to the service.
    const isLeftOut = name.startsWith('$') || leaveOut.includes(name) || given.has(name);
    const field = shape[name];
    if (field && !isLeftOut) others.set(name, placeholderOf(field, isTime));
  }
  const comments = printYaml(others).replaceAll(/^(?=.)/gm, '#');
  return (given.size > 0 ? printYaml(given) : '') + comments;
}

const placeholders: Readonly<Record<string, Json>> = {
  string: '',
  boolean: false,
  custom: new JsonNumber('0'),
  number: new JsonNumber('0'),
  record: new Map(),
};

/** A value of the field's type, to replace. */
function placeholderOf(field: z.core.$ZodType, isTime: IsTime): Json {
  if (isTime(field)) return '+14dT18:00';
  if (isReference([field])) return referenceTo('');
  const { type, innerType, element, shape } = schemaParts(field);
  if (innerType) return placeholderOf(innerType, isTime);
  if (element) return [];
  const below = Object.entries(shape ?? {});
  if (below.length === 0) return placeholders[type] ?? null;
  return new Map(below.map(([name, inner]) => [name, placeholderOf(inner, isTime)]));
}
