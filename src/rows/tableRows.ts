import type * as z from 'zod/mini';
import { isTime } from '../api/schemas.ts';
import { type FieldSchemas, fieldAt, partsOf } from '../api/schemaWalk.ts';
import { fieldError, MarError, usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { extendPath, type PathStep, parsePath } from '../json/path.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { isDateText } from '../records/dateText.ts';
import { referenceTo } from '../records/references.ts';
import { plural } from '../values/numbers.ts';
import { unprotected } from '../values/separatedValues.ts';
import { csvRecords } from './csv.ts';
import { type Row, type RowField, reasonColumn } from './row.ts';
import { isSecretPath } from './rowKey.ts';

/** How cells become fields. */
export interface TableRules {
  bodySchema: z.ZodMiniType;
  setDate(record: JsonObject, path: string, date: string): void;
  onUnknownColumns?(paths: readonly string[]): void;
}

export async function* tableRows(
  text: AsyncIterable<string>,
  start: string,
  { bodySchema, setDate, onUnknownColumns }: TableRules,
  name: string,
): AsyncGenerator<Row> {
  // Spreadsheets may name the separator in a line of its own.
  const [separatorLine, named] = /^sep=(.)\r?\n/i.exec(start) ?? [];
  const separator = named ?? findSeparator(start);
  let header: Header | undefined;
  let number = 0;
  for await (const { line, cells } of csvRecords(text, separator, name)) {
    const isEmpty = cells.every((cell) => cell.trim() === '');
    if (isEmpty || (line === 1 && separatorLine)) continue;
    if (!header) {
      header = locateErrors(`${name}, line ${line}`, () => readHeader(cells, bodySchema));
      onUnknownColumns?.(header.unknown);
      continue;
    }
    number += 1;
    const columns = header;
    const original = { names: header.names, cells, separator };
    yield {
      number,
      line,
      original,
      read: () => recordOf(cells, columns, setDate),
      fields: () => fieldsOf(cells, columns),
    };
  }
  if (!header) throw usageError(`${name} has no header`, headerHint);
}

export function findSeparator(start: string): string {
  const [header = ''] = /^[^\r\n]*/.exec(start.trimStart()) ?? [];
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => plain.split(separator).length;
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ',';
}

export function locateErrors<T>(place: string, read: () => T, hint?: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    throw usageError(`${place}: ${error.message}`, hint ?? error.details.hint);
  }
}

const headerHint =
  'The first line must name the fields, for example: asset,language,due.date,uses.items[0]';

interface Column {
  path: string;
  steps: readonly PathStep[];
  field: FieldSchemas;
  /** Several columns with one name are the elements of one list. */
  isRepeated: boolean;
}

interface Header {
  names: readonly string[];
  columns: readonly (Column | undefined)[];
  unknown: readonly string[];
}

function readHeader(cells: readonly string[], schema: z.ZodMiniType): Header {
  const names = cells.map((cell) => unprotected(cell.trim()));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const columns = names.map((path, index): Column | undefined => {
    if (path === '' || path === reasonColumn) return undefined;
    const steps = locateErrors(`column ${index + 1}`, () => parsePath(path), headerHint);
    const field = fieldAt(schema, steps);
    const isRepeated = (counts.get(path) ?? 0) > 1;
    if (isRepeated && !partsOf(field).some(({ type }) => type === 'array')) {
      throw usageError(
        `two columns are named ${path}`,
        'Only fields that take a list, such as tags, may have several columns.',
      );
    }
    return { path, steps, field, isRepeated };
  });
  const known = columns.filter((column) => column !== undefined);
  if (known.length === 0) throw usageError('the header names no field');
  const unknown = known.filter(({ field }) => field.length === 0).map(({ path }) => path);
  // Any text has a first line. Without a known field in it, it is no header.
  if (unknown.length === known.length) {
    const [first = '', ...others] = unknown;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    throw usageError(
      `no known field in the first line: ${quote(first, 60)}${more}`,
      'Expected JSON lines, a JSON array, or CSV or TSV with field names in the first line: asset,language,due.date',
    );
  }
  return { names, columns, unknown };
}

function recordOf(
  cells: readonly string[],
  header: Header,
  setDate: TableRules['setDate'],
): JsonObject {
  const record: JsonObject = new Map();
  const dates: [path: string, date: string][] = [];
  for (const { column, value, date } of readCells(cells, header)) {
    if (date === undefined) setField(record, column, value);
    else dates.push([column.path, date]);
  }
  closeGaps(record);
  // Dates come last because another cell may hold their time zone.
  for (const [path, date] of dates) setDate(record, path, date);
  return record;
}

/** Each column sets its field, so `previews[0].label` changes one element and keeps the others. */
function fieldsOf(cells: readonly string[], header: Header): RowField[] {
  const fields = new Map<string, Json>();
  for (const { column, value } of readCells(cells, header)) {
    const path = column.steps.reduce<string>(extendPath, '');
    const before = fields.get(path);
    fields.set(path, Array.isArray(before) ? append(before, value as Json[]) : value);
  }
  return [...fields];
}

/** The cells that are not empty. A date becomes a number once the time zone is known. */
function* readCells(
  cells: readonly string[],
  { names, columns }: Header,
): Generator<{ column: Column; value: Json; date?: string }> {
  for (const [index, written] of cells.entries()) {
    if (written.trim() === '' || names[index] === reasonColumn) continue;
    const cell = unprotected(written);
    const column = columns[index];
    if (!column) {
      const text = names.some(isSecretPath) ? '' : ` (${cell.slice(0, 30)})`;
      throw usageError(
        `cell ${index + 1}${text} has no column; the header has ${plural(columns.length, 'column')}`,
      );
    }
    const { path, field, isRepeated } = column;
    const date = cell.trim();
    if (field.some(isTime) && isDateText(date)) yield { column, value: date, date };
    else yield { column, value: readCell(cell, path, field, isRepeated) };
  }
}

/** Elements may come in any order, so a list may have gaps. */
function setField(record: JsonObject, { path, steps, isRepeated }: Column, value: Json): void {
  let at: Json = record;
  for (const [index, step] of steps.entries()) {
    const before: Json | undefined = childOf(at, step, path);
    let next = before;
    if (index === steps.length - 1) {
      next = isRepeated && Array.isArray(before) ? append(before, value as Json[]) : value;
      if (before !== undefined && !isRepeated) throw columnConflict(path);
    } else {
      next ??= typeof steps[index + 1] === 'number' ? [] : new Map();
    }
    if (isObject(at)) at.set(String(step), next as Json);
    else (at as Json[])[step as number] = next as Json;
    at = next as Json;
  }
}

/** Changes the list itself: a copy for each of many columns takes quadratic time. */
function append(list: Json[], more: readonly Json[]): Json[] {
  for (const element of more) list.push(element);
  return list;
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

/**
 * Reads a cell as the type of its field: a string where the field is a string or unknown, else a
 * number, a boolean, a list with semicolons, or the id of another record, which becomes an object.
 * Lists and objects may also be written as JSON.
 */
function readCell(cell: string, path: string, field: FieldSchemas, isElement = false): Json {
  const parts = partsOf(field);
  const types = new Set(parts.map(({ type }) => type));
  const text = cell.trim();
  const isStructure = ['object', 'record', 'array'].some((type) => types.has(type));
  if (isStructure && /^[{[]/.test(text)) return readJson(text, path);
  if (parts.some(({ shape }) => shape && '_id' in shape)) return referenceTo(text);
  if (types.has('array')) {
    const elementField = parts.flatMap(({ element }) => element ?? []);
    const elements = isElement ? [text] : text.split(';');
    return elements
      .filter((element) => element.trim() !== '')
      .map((element) => readCell(element.trim(), path, elementField));
  }
  if (types.size === 0 || types.has('string') || types.has('unknown')) return cell;
  if (types.has('boolean')) return readBoolean(text, path);
  if (types.has('custom')) return readInteger(text, path, field.some(isTime));
  if (types.has('number') && jsonNumber.test(text)) return new JsonNumber(text);
  throw fieldError(path, `expected JSON such as {"name": "…"}, found ${quote(text, 40)}`);
}

function readJson(text: string, path: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw fieldError(path, `${error.reason}, at column ${error.column} of the cell`);
  }
}

function readBoolean(text: string, path: string): boolean {
  const word = text.toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  if (['false', 'no', '0'].includes(word)) return false;
  throw fieldError(path, `expected true or false, found ${quote(text, 40)}`);
}

function readInteger(text: string, path: string, isDate: boolean): JsonNumber {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return new JsonNumber(text);
  const isRounded = /^-?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text);
  const why = isRounded ? ' (rounded by the spreadsheet; format the column as a number)' : '';
  const wanted = isDate ? 'a time such as 2026-12-01T18:00 or an integer' : 'an integer';
  throw fieldError(path, `expected ${wanted}, found ${quote(text, 40)}${why}`);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

const quote = (text: string, maxLength: number) =>
  JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
