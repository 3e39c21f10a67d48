import type { SchemaName } from '../api/endpoints.ts';
import { fieldOf, fieldsOf, pathReader } from '../json/fields.ts';
import { extendPath, parsePath } from '../json/path.ts';
import { JsonNumber } from '../json/value.ts';
import { withoutSignature } from '../values/url.ts';
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
    import('../api/schemaFields.ts'),
  ]);
  return (path) => fieldAt(schemas[schema](), parsePath(path)).some(isTime);
}

/** What a column shows, ready to be read off many records. */
export const columnReader = ({ read, path }: Column): ((record: unknown) => unknown) =>
  read ?? pathReader(path);

/** Of records that nothing is known about: every field there is, a list of values being one. */
export function columnsOf(records: readonly Shown[]): readonly Column[] {
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

/** Any JSON value as the text of one cell. Not sanitised: that is for who shows it. */
export function cellText(value: unknown): string {
  const scalar = scalarText(value);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(value)) return objectText(value);
  return namesIn(value, scalarText) ?? (value.length === 1 ? '1 item' : `${value.length} items`);
}

/** A value as text for programs: like `cellText`, with booleans as JSON has them; no list is counted. */
export function machineCell(value: unknown): string {
  if (Array.isArray(value)) return namesIn(value, plainScalar) ?? compact(value);
  return plainScalar(value) ?? objectText(value);
}

const plainScalar = (value: unknown) =>
  typeof value === 'boolean' ? String(value) : scalarText(value);

function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withoutSignature(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof JsonNumber) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}

/** The elements of a list by what they are known by, if all of them are. */
function namesIn(
  elements: readonly unknown[],
  scalar: (value: unknown) => string | undefined,
): string | undefined {
  const texts = elements
    .filter((element) => element !== null && element !== undefined)
    .map((element) => scalar(element) ?? nameOf(element));
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

function objectText(object: unknown): string {
  const name = nameOf(object);
  if (name !== undefined) return name;
  return fieldsOf(object)?.length === 0 ? '' : compact(object);
}

/** What a reader knows a record by. */
function nameOf(object: unknown): string | undefined {
  for (const key of ['name', '_id']) {
    const text = scalarText(fieldOf(object, key));
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** On one line, for reading: a signature inside is dropped here too. */
function compact(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(withoutSignature(value));
  if (value instanceof JsonNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  const fields = fieldsOf(value);
  if (fields === undefined) return String(value);
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${compact(field)}`).join(',')}}`;
}
