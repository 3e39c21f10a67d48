import type * as z from 'zod/mini';
import { type FieldSchemas, partsOf, schemaParts } from '../api/schemaWalk.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/*
 * A work request refers to other records (asset, project, from). The API documents these references
 * as objects. We assume that an object with nothing but the `_id` is enough.
 */

export const referenceTo = (id: Json): JsonObject => new Map([['_id', id]]);

/** The id of an embedded record, or the reference itself. */
export const idOf = (reference: Json | undefined): Json | undefined =>
  isObject(reference) ? reference.get('_id') : reference;

/** Whether a field takes an embedded record or its id. */
export function isReference(field: FieldSchemas): boolean {
  const parts = partsOf(field);
  const isText = parts.some(({ type }) => type === 'string');
  return isText && parts.some(({ shape }) => shape !== undefined && '_id' in shape);
}

/** The fields of a record that hold an id where an object is documented. */
export function idReferences(schema: z.ZodMiniType, record: JsonObject): string[] {
  const { shape = {} } = schemaParts(schema);
  return [...record].flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return typeof value === 'string' && field && isReference([field]) ? name : [];
  });
}
