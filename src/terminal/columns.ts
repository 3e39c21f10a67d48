import { extendPath } from '../json/path.ts';
import { fieldOf, fieldsOf } from './fields.ts';
import { pathReader } from './flatten.ts';
import type { Column, Shown, View } from './view.ts';

/** The columns that were picked, else those of the view; those that it knows keep their kind. */
export function pickColumns(view: View, picked: readonly string[] | undefined): readonly Column[] {
  if (!picked) return view.columns;
  return picked.map(
    (path) => view.columns.find((column) => column.path === path) ?? { title: path, path },
  );
}

/** What a column shows, ready to be read off many records. */
export const columnReader = ({ read, path }: Column): ((record: unknown) => unknown) =>
  read ?? pathReader(path);

/** Of records that nothing is known about: every field there is, a list of values being one. */
export function findColumns(records: readonly Shown[]): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const { value } of records) {
    for (const column of fieldColumns(value, '', (record) => record)) {
      if (!columns.has(column.path)) columns.set(column.path, column);
    }
  }
  return [...columns.values()];
}

function fieldColumns(value: unknown, path: string, read: (record: unknown) => unknown): Column[] {
  const fields = fieldsOf(value);
  if (fields === undefined || fields.length === 0) {
    const title = path === '' ? 'value' : path;
    return [{ title, path: title, read }];
  }
  return fields.flatMap(([key, child]) =>
    fieldColumns(child, extendPath(path, key), (record) => fieldOf(read(record), key)),
  );
}
