import type * as z from 'zod/mini';

/** As much of a schema's own description as is walked here. */
interface Definition {
  type: string;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
}

const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;

/** What is known about a field: several schemas where it may be one thing or another, or none. */
export type Field = readonly z.core.$ZodType[];

/** The field one step below another. */
export const fieldBelow = (field: Field, step: string | number): Field =>
  field.flatMap((schema) => below(schema, step));

/** The field at a path, as far as it is known. */
export const fieldAt = (schema: z.core.$ZodType, path: readonly (string | number)[]): Field =>
  path.reduce<Field>(fieldBelow, [schema]);

/** What lies one step below; through whatever is wrapped around it. */
function below(schema: z.core.$ZodType, step: string | number): Field {
  const { innerType, options, element, shape, valueType } = definitionOf(schema);
  if (innerType) return below(innerType, step);
  if (options) return options.flatMap((option) => below(option, step));
  if (element) return typeof step === 'number' ? [element] : [];
  if (typeof step === 'number') return [];
  if (shape && Object.hasOwn(shape, step)) return [shape[step] as z.core.$ZodType];
  return valueType ? [valueType] : [];
}
