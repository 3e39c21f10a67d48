/**
 * What is known of a schema, in a form that is checked without its library, which takes longer to
 * load than a request. It says yes or no; why not, the schema itself says.
 */
export type Shape =
  /** Anything, a text, a switch, a whole number, any number, null. */
  | '*'
  | 's'
  | 'b'
  | 'i'
  | 'd'
  | 'n'
  | { array: Shape }
  /** By their names; with an `!` before it, a field must be there. Others may be there as well. */
  | { fields: Readonly<Record<string, Shape>> }
  | { values: Shape }
  | { anyOf: readonly Shape[] };

/** Whether a JSON value is of a shape. */
export function fits(shape: Shape, value: unknown): boolean {
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
  if ('anyOf' in shape) return shape.anyOf.some((one) => fits(one, value));
  if ('array' in shape) return Array.isArray(value) && value.every((one) => fits(shape.array, one));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('values' in shape) return Object.values(value).every((one) => fits(shape.values, one));
  return Object.entries(shape.fields).every(([name, field]) => {
    const isNeeded = name.startsWith('!');
    const key = isNeeded ? name.slice(1) : name;
    return Object.hasOwn(value, key)
      ? fits(field, (value as Record<string, unknown>)[key])
      : !isNeeded;
  });
}
