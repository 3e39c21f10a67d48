import { fieldOf, fieldsOf, pathReader } from '../json/fields.ts';
import { extendPath } from '../json/path.ts';
import { withoutSignature } from '../json/secrets.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { JsonNumber } from '../json/value.ts';
import { pluralNoun } from '../values/numbers.ts';
import { formatDate, formatRelative } from './time.ts';
import type { Clock, Column, View } from './view.ts';

/** The columns of `--columns`, or those of the view. Columns that the view lists keep their kind. */
export async function pickColumns(
  view: View,
  picked: readonly string[] | undefined,
): Promise<readonly Column[]> {
  if (!picked) return view.columns;
  const isListed = (word: string) => listedColumn(view, word) !== undefined;
  const fields = picked.every(isListed) ? undefined : await view.knownFields?.();
  const titles = view.columns.map(({ title }) => title);
  return picked.map((word): Column => {
    const listed = listedColumn(view, word);
    if (listed) return listed;
    const userKind = view.userFields?.includes(word) ? 'user' : undefined;
    const kind = fields?.isTime(word) ? 'time' : userKind;
    const unknown = fields ? fields.unknownColumn(word, titles) : `unknown column "${word}"`;
    return { title: word, path: word, kind, ...(unknown && { unknown }) };
  });
}

/** The column of a path, or of a word in the header: `WHEN`. */
function listedColumn({ columns }: View, word: string): Column | undefined {
  const exact = columns.find(({ path }) => path === word);
  if (exact) return exact;
  // `due` is a field, although the column of `due.date` has that title.
  if (columns.some(({ path }) => path.startsWith(`${word}.`))) return undefined;
  return columns.find(({ title, short }) =>
    [title, short].some((name) => name?.toLowerCase() === word.toLowerCase()),
  );
}

type Reader = (record: unknown) => unknown;

export const valueReader = ({ read, path }: Column): Reader => read ?? pathReader(path);

export const columnReader = (column: Column): Reader => column.show ?? valueReader(column);

/** The time of a column that was asked for, with the date: `2026-12-01 18:00 CET (overdue 5 d)`. */
export function pickedTime(column: Column, record: unknown, clock: Clock): string | undefined {
  const date = column.kind === 'time' ? clock.date(columnReader(column)(record)) : undefined;
  if (!date) return undefined;
  const words = column.words?.(record, clock) || formatRelative(date, clock.now);
  return `${formatDate(date)} (${words})`;
}

export function columnsOf(
  records: readonly ServiceRecord[],
  isTime: (path: string) => boolean = () => false,
): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const { value } of records) {
    for (const column of fieldColumns(value, '', (record) => record)) {
      const { path } = column;
      if (columns.has(path)) continue;
      columns.set(path, isTime(path) ? { ...column, kind: 'time' } : column);
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

/** Any JSON value as one cell for people. The caller has to sanitise it. */
export function cellText(value: unknown): string {
  const scalar = scalarText(value);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(value)) return objectText(value);
  return namesIn(value, scalarText) ?? `${value.length} ${pluralNoun(value.length, 'item')}`;
}

/**
 * Any JSON value as one cell for programs, in the form that `--batch` reads: an embedded record as its
 * id, a list with semicolons, and as JSON what these cannot hold.
 */
export function machineCell(value: unknown): string {
  if (!Array.isArray(value)) return plainScalar(value) ?? idOf(value) ?? emptyOrJson(value);
  const texts = value.map(
    value.every((element) => typeof element === 'string') ? elementText : idOf,
  );
  return texts.includes(undefined) ? compactJson(value) : texts.join(';');
}

const idOf = (object: unknown) => elementText(fieldOf(object, '_id'));

/** Undefined for anything that would be read back as something else. */
function elementText(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^$|^[\s[{]|\s$|;/.test(value)) return undefined;
  return withoutSignature(value);
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

function namesIn(
  elements: readonly unknown[],
  scalar: (value: unknown) => string | undefined,
): string | undefined {
  const texts = elements
    .filter((element) => element !== null && element !== undefined)
    .map((element) => scalar(element) ?? nameOf(element));
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

const objectText = (object: unknown) => nameOf(object) ?? emptyOrJson(object);

const emptyOrJson = (object: unknown) =>
  fieldsOf(object)?.length === 0 ? '' : compactJson(object);

const nameOf = (object: unknown): string | undefined =>
  ['name', '_id'].map((key) => scalarText(fieldOf(object, key))).find(Boolean);

function compactJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(withoutSignature(value));
  if (value instanceof JsonNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`;
  const fields = fieldsOf(value);
  if (fields === undefined) return String(value ?? null);
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${compactJson(field)}`).join(',')}}`;
}
