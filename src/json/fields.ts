import { extendPath, type PathStep, parsePath } from './path.ts';
import { isObject, type Json, JsonNumber } from './value.ts';

/** The leaf fields of a record, in its order. */
export function flatten(
  record: unknown,
  format: (leaf: unknown) => string,
): [path: string, value: string][] {
  const leaves: [path: string, value: string][] = [];
  collectLeaves(record, '', (path, leaf) => leaves.push([path, format(leaf)]));
  return leaves;
}

export function valueAt(record: unknown, path: string): unknown {
  return pathReader(path)(record);
}

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

/** The fields of a lossless or an ordinary object; undefined for anything else. */
export function fieldsOf(value: unknown): [key: string, value: unknown][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return isObject(value as Json) ? [...(value as Map<string, unknown>)] : Object.entries(value);
}

export function fieldOf(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || value instanceof JsonNumber) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
