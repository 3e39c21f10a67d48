/**
 * A schema in a form that is checked without zod, which takes longer to load than a request. It says
 * only whether a value is valid; the schema itself says why not.
 */
export type Shape =
  /** Anything, a string, a boolean, an integer, any number, null. */
  | '*'
  | 's'
  | 'b'
  | 'i'
  | 'd'
  | 'n'
  | { array: Shape }
  /** Fields by name; `!` before the name marks a required field. Other fields are allowed. */
  | { fields: Readonly<Record<string, Shape>> }
  | { values: Shape }
  | { anyOf: readonly Shape[] };

export function hasShape(shape: Shape, value: unknown): boolean {
  switch (shape) {
    case '*':
      return true;
    case 's':
      return typeof value === 'string';
    case 'b':
      return typeof value === 'boolean';
    case 'i':
      return Number.isInteger(value);
    case 'd':
      return Number.isFinite(value);
    case 'n':
      return value === null;
  }
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
