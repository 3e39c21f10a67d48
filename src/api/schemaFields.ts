import * as z from 'zod/mini';

/** As much of a schema's own description as is walked here. */
interface Definition {
  type: string;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
}

/** What is known about a field: several schemas where it may be one thing or another, or none. */
export type Field = readonly z.core.$ZodType[];

/** The definitions behind the wrappers and unions of a field. */
export function definitionsOf(field: Field): Definition[] {
  return field.flatMap((schema) => {
    const definition = schema._zod.def as unknown as Definition;
    const { innerType, options } = definition;
    if (innerType) return definitionsOf([innerType]);
    return options ? definitionsOf(options) : [definition];
  });
}

/** The field one step below another. */
export const fieldBelow = (field: Field, step: string | number): Field =>
  definitionsOf(field).flatMap((definition) => below(definition, step));

/** The field at a path, as far as it is known. */
export const fieldAt = (schema: z.core.$ZodType, path: readonly (string | number)[]): Field =>
  path.reduce<Field>(fieldBelow, [schema]);

function below({ element, shape, valueType }: Definition, step: string | number): Field {
  if (element) return typeof step === 'number' ? [element] : [];
  if (typeof step === 'number') return [];
  if (shape && Object.hasOwn(shape, step)) return [shape[step] as z.core.$ZodType];
  return valueType ? [valueType] : [];
}

/*
 * The building blocks of every resource. Fields are optional and records are loose: the service
 * marks nothing as required, and a field that is not known here must survive a round trip.
 * A resource is a function: its schema is made when it is first asked for, since making all of
 * them costs a command more time than its request.
 */

/** Makes a value when it is first asked for, once. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A number without a fraction, of any size. */
const wholeNumber = z.custom<number>(Number.isInteger);

export const text = z.optional(z.string());
export const flag = z.optional(z.boolean());
export const integer = z.optional(wholeNumber);
/** A point in time as an integer; its unit is not documented. */
export const time = z.optional(wholeNumber);
/** The identifier of a record, or a reference to one. */
export const id = z.optional(z.string());
export const texts = z.optional(z.array(z.string()));
export const ids = z.optional(z.array(z.string()));
/** An array whose elements are not documented. */
export const list = z.optional(z.array(z.unknown()));
/** Protocol-relative URLs by name: `self` and the related records. */
export const links = z.optional(z.record(z.string(), z.string()));

/** An embedded record. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.looseObject(shape));

/** An array of embedded records. */
export const listOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.array(z.looseObject(shape)));
