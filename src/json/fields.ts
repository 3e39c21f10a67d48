import { extendPath, type PathStep, parsePath } from './path.ts';
import { isObject, type Json, JsonNumber } from './value.ts';

/** The leaf fields of a record with their paths, in the record's order. */
export function flatten(
  record: unknown,
  format: (leaf: unknown) => string,
): [path: string, value: string][] {
  const leaves: [path: string, value: string][] = [];
  collectLeaves(record, '', (path, leaf) => leaves.push([path, format(leaf)]));
  return leaves;
}

/** What stands at a path of a record; undefined where nothing does. */
export function valueAt(record: unknown, path: string): unknown {
  return pathReader(path)(record);
}

/** Reads the same path of many records: it is taken apart once. */
export function pathReader(path: string): (record: unknown) => unknown {
  const steps = parsePath(path);
  return (record) => {
    let value = record;
    for (const one of steps) {
      if (typeof one === 'string') value = fieldOf(value, one);
      else value = Array.isArray(value) ? value[one] : undefined;
    }
    return value;
  };
}

function collectLeaves(
  value: unknown,
  path: string,
  add: (path: string, leaf: unknown) => void,
): void {
  const children: [PathStep, unknown][] | undefined = Array.isArray(value)
    ? value.map((element, index) => [index, element])
    : fieldsOf(value);
  if (children === undefined) add(path, value);
  else if (children.length === 0 && path !== '') add(path, '');
  else for (const [key, child] of children) collectLeaves(child, extendPath(path, key), add);
}

/** The fields of a record, whether it is lossless JSON or ordinary values; none for all else. */
export function fieldsOf(value: unknown): [key: string, value: unknown][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return isObject(value as Json) ? [...(value as Map<string, unknown>)] : Object.entries(value);
}

/** A record's own field. */
export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
