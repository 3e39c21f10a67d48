import { type MarError, onCommandLine, usageError } from '../errors.ts';
import { fieldOf, fieldsOf, flatten, pathReader } from '../json/fields.ts';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import type { ServiceRecord } from '../json/serviceRecord.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { describeUnknown } from '../values/nearest.ts';
import { formatDate, formatRelative } from '../values/time.ts';
import type { Column, ListOptions, View } from './viewType.ts';

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
    const unknown = fields ? fields.unknownColumn(word, titles) : { path: word };
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

/** Shows the time of a column that was asked for with its date: `2026-12-01 18:00 CET (overdue 5 d)`. */
export function pickedTime(column: Column): NonNullable<Column['words']> {
  const read = columnReader(column);
  return (record, clock) => {
    const date = column.kind === 'time' ? clock.date(read(record)) : undefined;
    if (!date) return '';
    return `${formatDate(date)} (${column.words?.(record, clock) || formatRelative(date, clock.now)})`;
  };
}

export const columnsWithout = (columns: readonly Column[], records: readonly ServiceRecord[]) =>
  columns.filter((column) => {
    const read = columnReader(column);
    return records.every(({ value }) => read(value) === undefined);
  });

/** The columns of a list: those that were picked, or those of the view, or all fields of the records. */
export async function listColumns(
  view: View,
  records: readonly ServiceRecord[],
  options: NameOptions & Pick<ListOptions, 'format' | 'stdout'> & { columns?: readonly string[] },
): Promise<readonly Column[]> {
  const { columns: picked, format, stdout } = options;
  const isLeftOut = ({ isForPeople = false, isOffScreen = false }: Column) =>
    format === 'table' ? isOffScreen && stdout.isTerminal : isForPeople;
  const shown = await pickColumns(view, picked);
  const known = picked ? shown : shown.filter((column) => !isLeftOut(column));
  const columns =
    known.length > 0 ? known : fieldsOfAll(records, (await view.knownFields?.())?.isTime);
  if (options.names && format !== 'table') return withNames(columns, options);
  // A sheet is for people: it has the names that are known.
  const isKnown = ({ read }: Column) => records.some(({ value }) => read?.(value));
  return format === 'xlsx' && !picked ? withNames(columns, options, isKnown) : columns;
}

type NameOptions = Pick<ListOptions, 'names' | 'userName'>;

/** Adds the column `asset.name` after `asset` or `asset._id`, unless it is there. */
function withNames(
  columns: readonly Column[],
  { userName }: NameOptions,
  isWanted: (column: Column) => boolean = () => true,
) {
  return columns.flatMap((column): Column[] => {
    const { path, kind, title } = column;
    const field = path.replace(/\._id$/, '');
    const name = `${field}.name`;
    const isReference =
      kind === 'user' || /(?:^|\.)(?:asset|project|user|from|to|translator)$/.test(field);
    if (!isReference || columns.some((other) => other.path === name)) return [column];
    const [readName, readId] = [pathReader(name), pathReader(path)];
    const read = (record: unknown) => readName(record) ?? userName?.(String(readId(record)));
    // In a sheet, the name would take the place of a user's id.
    const idColumn: Column = kind === 'user' ? { ...column, kind: 'id' } : column;
    const nameColumn = { title: `${title} name`, path: name, read };
    return isWanted(nameColumn) ? [idColumn, nameColumn] : [column];
  });
}

function fieldsOfAll(
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

/** A record with the fields of these columns alone, where they were; a missing one is null. */
export function pickFields(columns: readonly Column[], record: Json): JsonObject {
  const picked: JsonObject = new Map();
  for (const column of columns) {
    put(picked, parsePath(column.path), (valueReader(column)(record) ?? null) as Json);
  }
  return picked;
}

function put(parent: Json | undefined, [step, ...rest]: readonly PathStep[], value: Json): Json {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const object = isObject(parent) ? parent : new Map<string, Json>();
    return object.set(step, put(object.get(step), rest, value));
  }
  const list = Array.isArray(parent) ? parent : [];
  while (list.length <= step) list.push(null);
  list[step] = put(list[step], rest, value);
  return list;
}

/** If no name is close, suggests a field of the same name deeper in the example. */
export function columnsError(columns: readonly Column[], example?: ServiceRecord): MarError {
  const leaves = example ? flatten(example.value, () => '').map(([leaf]) => leaf) : [];
  const fields = columns.map(({ path, unknown }) => {
    const meant = unknown?.meant ?? leaves.find((leaf) => leaf.endsWith(`.${path}`));
    return { path, suggestion: meant, message: describeUnknown('column', { path, meant }) };
  });
  const hint = example && onCommandLine('No record has this field. To see all fields, use --json.');
  const message = fields.map((field) => field.message).join('\n');
  return usageError(message, hint, { flag: '--columns', value: fields[0]?.path, fields });
}
