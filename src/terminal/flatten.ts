import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { plainText } from './cell.ts';
import { fieldOf, fieldsOf } from './fields.ts';

/** The leaf fields of a record with their paths, in the record's order. */
export function flatten(record: unknown): [path: string, value: string][] {
  const leaves: [path: string, value: string][] = [];
  collect(record, '', leaves);
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

function collect(value: unknown, path: string, leaves: [string, string][]): void {
  const children: [PathStep, unknown][] | undefined = Array.isArray(value)
    ? value.map((element, index) => [index, element])
    : fieldsOf(value);
  if (children === undefined) leaves.push([path, plainText(value)]);
  else if (children.length === 0 && path !== '') leaves.push([path, '']);
  else for (const [key, child] of children) collect(child, extendPath(path, key), leaves);
}
