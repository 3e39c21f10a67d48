import type * as z from 'zod/mini';
import { isTime } from '../api/schemas.ts';
import { type FieldSchemas, fieldAt, partsOf } from '../api/schemaWalk.ts';
import { isSecretPath } from '../api/secretFields.ts';
import { fieldError, MarError, usageError } from '../errors.ts';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { type DateOrder, isDateText, plainDate } from '../records/dateText.ts';
import { groupBy } from '../values/groupBy.ts';
import { plural, rowRanges } from '../values/numbers.ts';
import { unprotected } from '../values/separatedValues.ts';
import { problemWith, readCell, takesNumber } from './cells.ts';
import { type Heading, type HeadingReader, headingReader } from './headings.ts';
import {
  type Row,
  type RowReading,
  reasonColumn,
  type SheetChoice,
  type TableRecord,
} from './row.ts';

export interface TableHeadings {
  all: readonly string[];
  unknown: readonly string[];
  /** `C3`: where a workbook has a heading. */
  cellOf(heading: string): string | undefined;
}

/** How cells become fields. */
export interface TableRules {
  bodySchema: z.ZodMiniType;
  /** The sheet of a workbook to read. */
  sheet?: SheetChoice;
  /** The order of the numbers in `1/12/2026`. */
  dateOrder?: DateOrder;
  /** Finds the fields of headings, or refuses those that are not known. Without a field, a column is left out. */
  mapHeadings?(headings: TableHeadings): Promise<ReadonlyMap<string, string>>;
  /** Reports what the user should know about the table. */
  warn?(code: string, text: string): void;
}

/** A heading is found below a title, but not further down. */
const maxHeaderRows = 20;

/** The rows of a table below its header. */
export async function* tableRows(
  records: Generator<TableRecord, void>,
  rules: TableRules,
  name: string,
  separator = ',',
): AsyncGenerator<Row> {
  const start: TableRecord[] = [];
  while (start.length < maxHeaderRows) {
    const { value } = records.next();
    if (!value) break;
    start.push(value);
  }
  if (start.length === 0) throw usageError(`${name} has no header`, headerHint);
  const readHeading = headingReader(rules.bodySchema);
  const at = headerIndex(start, readHeading, name);
  const found = start[at] as TableRecord;
  const header = await locateErrors(`${name}, line ${found.line}`, () =>
    readHeader(found, readHeading, rules),
  );
  const rowOf = (record: TableRecord, number: number): Row => ({
    number,
    line: record.line,
    original: { ...record, names: header.names, separator },
    read: (reading) => recordOf(fieldsOf(record, header, rules, reading)),
    // Each column sets its field: `previews[0].label` changes one element and keeps the others.
    fields: () => fieldsOf(record, header, rules).map(([{ path }, value]) => [path, value]),
    cellOf(path) {
      const at = columnOf(header, path);
      return record.values && at >= 0 ? cellName(at, record.line) : undefined;
    },
  });
  let number = 0;
  for (const record of concatenated(start.slice(at + 1), records)) yield rowOf(record, ++number);
}

function* concatenated<T>(start: Iterable<T>, rest: Iterable<T>) {
  yield* start;
  yield* rest;
}

/** The row that names the most fields; if none does, the first one with several cells. */
function headerIndex(rows: readonly TableRecord[], readHeading: HeadingReader, name: string) {
  const filled = rows.map(({ cells }) => headingsOf(cells).filter(Boolean));
  const scores = filled.map((cells) => cells.filter(readHeading).length);
  const best = Math.max(...scores);
  const at = scores.indexOf(best);
  const isHeader = (_: TableRecord, index: number) => {
    const [score = 0, cells = [], next = []] = [scores[index], filled[index], filled[index + 1]];
    if (score > 1) return true;
    // Labels have a value beside them, and other labels below them.
    if (cells.length > 1 && readHeading(cells.at(-1) ?? '')) return true;
    if (cells.length < 3 || isLabels(cells) || readHeading(next[0] ?? '')) return false;
    return score > 0 || (next.length > 2 && !cells.some((cell) => /\d/.test(cell)));
  };
  const first = rows.slice(0, Math.max(0, at - 1)).findIndex(isHeader);
  if (first >= 0) {
    const lost = rows.slice(first + 1, at).map(({ line }) => line);
    throw usageError(
      `${name}, line ${rows[first]?.line}: has headings, and so has line ${rows[at]?.line}`,
      [
        `The rows between them would be left out: ${rowRanges(lost).replace('row', 'line')}.`,
        'Put each table into a file or sheet of its own. Delete other lines above the headings.',
      ],
    );
  }
  if (best > 0) return at;
  return Math.max(
    rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1),
    0,
  );
}

/** `Project:` with a value, or `Producer: Greta`. */
const isLabels = (cells: readonly string[]) =>
  cells.some((cell) => /:./.test(cell)) ||
  new Set(cells.map((cell) => cell.endsWith(':'))).size > 1;

export function locateErrors<T>(place: string, read: () => T): T {
  const located = (error: unknown): never => {
    if (!(error instanceof MarError) || error.details.flag || error.details.fields) throw error;
    throw usageError(`${place}: ${error.message}`, error.details);
  };
  try {
    const result = read();
    return result instanceof Promise ? (result.catch(located) as T) : result;
  } catch (error) {
    return located(error);
  }
}

const headerHint =
  'The first line must name the fields, for example: asset,language,due.date,uses.items[0]';

interface Column extends Heading {
  steps: readonly PathStep[];
  field: FieldSchemas;
  /** Takes the place of this one for a cell that is no JSON: `due.date` for `due`, `uses.items` for `uses`. */
  plain?: Column;
}

interface Header {
  names: readonly string[];
  /** Without those that have no name, or are left out. */
  columns: readonly (Column | undefined)[];
}

const headingsOf = (cells: readonly string[]) => cells.map((cell) => unprotected(cell.trim()));

async function readHeader(
  { cells, line, values }: TableRecord,
  readHeading: HeadingReader,
  { bodySchema, mapHeadings }: TableRules,
): Promise<Header> {
  const names = headingsOf(cells);
  const all = names.filter((name) => name !== '' && name !== reasonColumn);
  if (all.length === 0) throw usageError('the header names no field');
  const unknown = [...new Set(all.filter((name) => !readHeading(name)))];
  const cellOf = (name: string) => (values ? cellName(names.indexOf(name), line) : undefined);
  const mapped = await mapHeadings?.({ all, unknown, cellOf });
  const columns = names.map((name, index): Column | undefined => {
    const path = name === reasonColumn ? '' : mapped?.get(name);
    const heading = path === undefined ? readHeading(name) : { path };
    if (!heading?.path) return undefined;
    return locateErrors(`column ${index + 1}`, () => columnFor(heading, bodySchema));
  });
  const named = columns.flatMap((column, at) => (column ? [{ column, name: names[at] }] : []));
  for (const [path, same] of groupBy(named, ({ column }) => column.path)) {
    if (same.length === 1) continue;
    const distinct = [...new Set(same.map(({ name }) => name))];
    throw usageError(
      `two columns are ${distinct.length === 1 ? 'named' : `for ${path}:`} ${distinct.join(' and ')}`,
      'For the elements of a list, write a;b in one cell, or name the columns tags[0] and tags[1].',
    );
  }
  return { names, columns };
}

function columnFor({ path, zone }: Heading, schema: z.ZodMiniType): Column {
  const steps = parsePath(path);
  const field = fieldAt(schema, steps);
  const plain = ['date', 'items'].find((one) =>
    partsOf(field).some(({ shape }) => shape && one in shape && !('_id' in shape)),
  );
  return {
    path: steps.reduce<string>(extendPath, ''),
    zone: field.some(isTime) ? zone : undefined,
    steps,
    field,
    ...(plain && { plain: columnFor({ path: extendPath(path, plain), zone }, schema) }),
  };
}

/** The column of a field, or of a part of it; -1 if the table has none. */
function columnOf({ columns }: Header, path: string): number {
  const dotted = (one: string) => `${one.replaceAll('[', '.[')}.`;
  return columns.findIndex((column) => column && dotted(path).startsWith(dotted(column.path)));
}

export const cellName = (column: number, line: number) => `${columnLetters(column)}${line}`;

function columnLetters(at: number): string {
  const rest = Math.floor(at / 26) - 1;
  return (rest < 0 ? '' : columnLetters(rest)) + String.fromCharCode(65 + (at % 26));
}

function recordOf(fields: readonly Field[]): JsonObject {
  const record: JsonObject = new Map();
  for (const field of fields) setField(record, field);
  closeGaps(record);
  // Last, because another cell may hold the time zone.
  for (const [{ zone, steps }] of fields) {
    if (zone !== undefined) setZone(record, String(steps[0]), zone);
  }
  return record;
}

/** Sets the zone of a deadline that has none. */
export function setZone(record: JsonObject, field: string, zone: string): void {
  const deadline = record.get(field) ?? new Map();
  if (isObject(deadline) && !deadline.has('tz')) record.set(field, deadline.set('tz', zone));
}

type Field = [column: Column, value: Json];

/** The cells that are not empty. Dates are text in a form that is accepted everywhere. */
function fieldsOf(
  { cells, values, problems }: TableRecord,
  { names, columns }: Header,
  { dateOrder }: TableRules,
  reading?: RowReading,
): Field[] {
  const fields = new Map<string, Field>();
  for (const [index, written] of cells.entries()) {
    const whole = columns[index];
    if (written.trim() === '' || (!whole && names[index])) continue;
    const cell = unprotected(written);
    if (!whole) {
      const text = names.some(isSecretPath) ? '' : ` (${cell.slice(0, 30)})`;
      throw usageError(
        `cell ${index + 1}${text} has no column; the header has ${plural(columns.length, 'column')}`,
      );
    }
    const value = values?.[index];
    const from = cell.trim();
    const column = whole.plain && !from.startsWith('{') ? whole.plain : whole;
    const { path, field } = column;
    const isDate = field.some(isTime);
    const problem = problems?.get(index) ?? problemWith(value, isDate);
    if (problem !== undefined) throw fieldError(path, problem);
    const date = isDate ? plainDate(from, path, dateOrder) : '';
    const isRead = isDateText(date);
    if (isRead && date !== from) reading?.translated.push({ field: path, from, to: date });
    // 50% is half of a number, and text as it is shown.
    const shown = typeof value === 'number' && takesNumber(field) ? String(value) : cell;
    if (fields.has(path)) throw columnConflict(path);
    fields.set(path, [column, isRead ? date : readCell(shown, path, field)]);
  }
  return [...fields.values()];
}

/** Elements may come in any order, so a list may have gaps. */
function setField(record: JsonObject, [{ path, steps }, value]: Field): void {
  let at: Json = record;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const before: Json | undefined = childOf(at, step, path);
    if (isLast && before !== undefined) throw columnConflict(path);
    const missing = typeof steps[index + 1] === 'number' ? [] : new Map();
    const next: Json = isLast ? value : (before ?? missing);
    if (isObject(at)) at.set(String(step), next);
    else (at as Json[])[step as number] = next;
    at = next;
  }
}

function childOf(at: Json, step: PathStep, path: string): Json | undefined {
  if (typeof step === 'number' && Array.isArray(at)) return at[step];
  if (typeof step === 'string' && isObject(at)) return at.get(step);
  throw columnConflict(path);
}

const columnConflict = (path: string) =>
  fieldError(path, 'conflicts with another column of this row');

/** An empty cell between a list's elements adds no element. */
function closeGaps(json: Json): Json {
  // Unlike `map`, `Object.values` skips gaps: there may be far more of them than elements.
  if (Array.isArray(json)) return Object.values(json).map(closeGaps);
  if (!isObject(json)) return json;
  for (const [key, value] of json) json.set(key, closeGaps(value));
  return json;
}
