import { extendPath, type PathStep, parsePath } from './path.ts';
import { JsonNumber } from './value.ts';

/** The leaf fields of a record, in its order. */
export function flatten(
  record: unknown,
  format: (leaf: unknown, path: string) => string,
  path = '',
): [path: string, value: string][] {
  const children: [PathStep, unknown][] | undefined = Array.isArray(record)
    ? record.map((element, index) => [index, element])
    : fieldsOf(record);
  if (children === undefined) return [[path, format(record, path)]];
  if (children.length === 0 && path !== '') return [[path, format('', path)]];
  return children.flatMap(([key, child]) => flatten(child, format, extendPath(path, key)));
}

export const valueAt = (record: unknown, path: string): unknown =>
  /[^a-zA-Z]/.test(path) ? pathReader(path)(record) : fieldOf(record, path);

/** Reads one path of many records: parses the path once. */
export function pathReader(path: string): (record: unknown) => unknown {
  const steps = parsePath(path);
  return (record) => {
    let value = record;
    for (const step of steps) {
      if (typeof step === 'string') value = fieldOf(value, step);
      else value = Array.isArray(value) ? value[step] : undefined;
    }
    return value;
  };
}

/** The fields of a lossless or an ordinary object; undefined for anything else. */
export function fieldsOf(value: unknown): [key: string, value: unknown][] | undefined {
  if (value instanceof Map) return [...value];
  return isOrdinaryObject(value) ? Object.entries(value) : undefined;
}

export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  return isOrdinaryObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isOrdinaryObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** The string at a path, or an empty one. */
export function textAt(record: unknown, path: string): string {
  const value = valueAt(record, path);
  return typeof value === 'string' ? value : '';
}

/** The elements of the list at a path, or none. */
export function items(record: unknown, path: string): unknown[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value : [];
}
