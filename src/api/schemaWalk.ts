import type * as z from 'zod/mini';

/** The parts of a zod schema that lead to other schemas. */
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

export const fieldBelow = (field: FieldSchemas, step: string | number): FieldSchemas =>
  field.flatMap((schema) => below(schema, step));

export const fieldAt = (
  schema: z.core.$ZodType,
  path: readonly (string | number)[],
): FieldSchemas => path.reduce<FieldSchemas>(fieldBelow, [schema]);

function below(schema: z.core.$ZodType, step: string | number): FieldSchemas {
  const { innerType, options, element, shape, valueType } = schemaParts(schema);
  if (innerType) return below(innerType, step);
  if (options) return options.flatMap((option) => below(option, step));
  if (element) return typeof step === 'number' ? [element] : [];
  if (typeof step === 'number') return [];
  if (shape && Object.hasOwn(shape, step)) return [shape[step] as z.core.$ZodType];
  return valueType ? [valueType] : [];
}
