import type { SchemaName } from '../api/endpoints.ts';
import { extendPath, parsePath } from '../json/path.ts';
import { fieldOf, fieldsOf } from './fields.ts';
import { pathReader } from './flatten.ts';
import type { Column, Shown, View } from './view.ts';

/** The columns that were picked, else those of the view; those that it knows are as they are there. */
export async function pickColumns(
  { columns, schema }: View,
  picked: readonly string[] | undefined,
): Promise<readonly Column[]> {
  if (!picked) return columns;
  const known = (path: string) => columns.find((column) => column.path === path);
  const isTime = picked.every(known) || !schema ? () => false : await timesOf(schema);
  return picked.map(
    (path) => known(path) ?? { title: path, path, kind: isTime(path) ? 'time' : undefined },
  );
}

/** Loaded only for fields that no view has: most lists do without. */
async function timesOf(schema: SchemaName): Promise<(path: string) => boolean> {
  const [{ schemas, isTime }, { fieldAt }] = await Promise.all([
    import('../api/schemas.ts'),
    import('../api/fieldAt.ts'),
  ]);
  return (path) => fieldAt(schemas[schema](), parsePath(path)).some(isTime);
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
