import * as z from 'zod/mini';

/*
 * The building blocks of every resource. Fields are optional and records are loose: the service
 * requires nothing, and an unknown field must survive a round trip. Each resource is a function,
 * because making all schemas takes longer than a request.
 */

/** The schema of a record, made once, on first use. */
export function record<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  let made: z.ZodMiniObject<Shape, z.core.$loose> | undefined;
  return () => {
    made ??= z.looseObject(shape());
    return made;
  };
}

/** An integer of any size: zod's own type stops at the safe integers. */
const wholeNumber = z.custom<number>(Number.isInteger);

export const string = z.optional(z.string());
export const flag = z.optional(z.boolean());
export const integer = z.optional(wholeNumber);
/** A point in time as an integer; its unit is not documented. */
export const time = z.optional(wholeNumber);
export const id = z.optional(z.string());
export const strings = z.optional(z.array(z.string()));
/** An array whose elements are not documented. */
export const list = z.optional(z.array(z.unknown()));
/** Protocol-relative URLs by name: `self` and the related records. */
export const links = z.optional(z.record(z.string(), z.string()));

type Names<List> = List extends `${infer First}, ${infer Others}` ? First | Names<Others> : List;

/** Several fields of one type, by their names: `name, slug`. */
export const fields = <Type, List extends string>(type: Type, names: List) =>
  Object.fromEntries(names.split(', ').map((name) => [name, type])) as Record<
    Names<List> & string,
    Type
  >;

export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.looseObject(shape));

export const listOf = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.array(z.looseObject(shape)));
