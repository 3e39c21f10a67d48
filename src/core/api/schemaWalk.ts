import type * as z from 'zod/mini';

interface SchemaParts {
  type: string;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
}

export const schemaParts = (schema: z.core.$ZodType) => schema._zod.def as unknown as SchemaParts;

/** The schemas that a field may have: several for a union, none for an unknown field. */
export type FieldSchemas = readonly z.core.$ZodType[];

/** A batch walks through the same schemas for each of its rows. */
const knownParts = new WeakMap<z.core.$ZodType, readonly SchemaParts[]>();

export function partsOf(field: FieldSchemas): readonly SchemaParts[] {
  const [only] = field;
  return field.length === 1 && only ? partsOfOne(only) : field.flatMap(partsOfOne);
}

function partsOfOne(schema: z.core.$ZodType): readonly SchemaParts[] {
  const known = knownParts.get(schema);
  if (known) return known;
  const own = schemaParts(schema);
  const parts = own.innerType
    ? partsOfOne(own.innerType)
    : own.options
      ? partsOf(own.options)
      : [own];
  knownParts.set(schema, parts);
  return parts;
}

export function fieldBelow(field: FieldSchemas, step: string | number): FieldSchemas {
  const below: z.core.$ZodType[] = [];
  for (const { element, shape, valueType } of partsOf(field)) {
    const named = typeof step === 'string' && shape && Object.hasOwn(shape, step);
    const schema = typeof step === 'number' ? element : named ? shape[step] : valueType;
    if (schema) below.push(schema);
  }
  return below;
}

export const fieldAt = (
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
): FieldSchemas => path.reduce<FieldSchemas>(fieldBelow, [schema]);
