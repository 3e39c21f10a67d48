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

export function partsOf(field: FieldSchemas): SchemaParts[] {
  return field.flatMap((schema) => {
    const parts = schemaParts(schema);
    if (parts.innerType) return partsOf([parts.innerType]);
    return parts.options ? partsOf(parts.options) : [parts];
  });
}

export const fieldBelow = (field: FieldSchemas, step: string | number): FieldSchemas =>
  partsOf(field).flatMap(({ element, shape, valueType }) => {
    if (typeof step === 'number') return element ?? [];
    return (shape && Object.hasOwn(shape, step) ? shape[step] : valueType) ?? [];
  });

export const fieldAt = (
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
): FieldSchemas => path.reduce<FieldSchemas>(fieldBelow, [schema]);
