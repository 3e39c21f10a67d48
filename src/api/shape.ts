const scalars = {
  /** Anything. */
  '*': () => true,
  s: (value: unknown) => typeof value === 'string',
  b: (value: unknown) => typeof value === 'boolean',
  i: Number.isInteger,
  d: Number.isFinite,
  n: (value: unknown) => value === null,
};

/**
 * A schema in a form that is checked without zod, which takes longer to load than a request. It says
 * only whether a value is valid; the schema itself says why not.
 */
export type Shape =
  | keyof typeof scalars
  | { array: Shape }
  /** Fields by name; `!` before the name marks a required field. Other fields are allowed. */
  | { fields: Readonly<Record<string, Shape>> }
  | { values: Shape }
  | { anyOf: readonly Shape[] };

export function hasShape(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'string') return scalars[shape](value);
  if ('anyOf' in shape) return shape.anyOf.some((one) => hasShape(one, value));
  if ('array' in shape) {
    return Array.isArray(value) && value.every((element) => hasShape(shape.array, element));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('values' in shape) return Object.values(value).every((one) => hasShape(shape.values, one));
  return Object.entries(shape.fields).every(([name, field]) => {
    const isRequired = name.startsWith('!');
    const key = isRequired ? name.slice(1) : name;
    return Object.hasOwn(value, key)
      ? hasShape(field, (value as Record<string, unknown>)[key])
      : !isRequired;
  });
}
