import type * as z from 'zod/mini';
import { isTime } from '../../api/schemas.ts';
import { fieldAt } from '../../api/schemaWalk.ts';
import { type MarError, usageError } from '../../errors.ts';
import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { type PathStep, parsePath } from '../../json/path.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { isDateText } from '../../records/times.ts';
import type { TableOptions } from './csv.ts';

/** A column of a table: the field that its cells fill. */
interface Column {
  path: string;
  steps: readonly PathStep[];
  field: readonly z.core.$ZodType[];
  /** Several columns of one name are the elements of one list. */
  isRepeated: boolean;
}

/** What a table's header says about its cells; an unnamed column must be empty. */
export interface Header {
  columns: readonly (Column | undefined)[];
  /** Columns that are no known field: sent as text. */
  unknown: readonly string[];
}

export function readHeader(cells: readonly string[], schema: z.ZodMiniType): Header {
  const names = cells.map((cell) => cell.trim());
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const columns = names.map((path, index): Column | undefined => {
    if (path === '') return undefined;
    const steps = inColumn(index, () => parsePath(path));
    const field = fieldAt(schema, steps);
    const isRepeated = (counts.get(path) ?? 0) > 1;
    if (isRepeated && !isListField(field)) {
      throw usageError(
        `the column ${path} stands twice`,
        'only a list may have several columns of one name',
      );
    }
    return { path, steps, field, isRepeated };
  });
  const known = columns.filter((column) => column !== undefined);
  if (known.length === 0) throw usageError('the header names no field');
  const unknown = known.filter(({ field }) => field.length === 0).map(({ path }) => path);
  if (unknown.length === known.length) throw noKnownColumn(unknown);
  return { columns, unknown };
}

/** Any text has a first line: without a field in it, it is not the header of a table. */
function noKnownColumn([first = '', ...others]: readonly string[]): MarError {
  const shown = JSON.stringify(first.length > 60 ? `${first.slice(0, 60)}…` : first);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return usageError(
    `no column is a known field: ${shown}${more}`,
    'expected JSON lines, a JSON array, or CSV or TSV whose header holds field paths: asset,language,due.date',
  );
}

function inColumn<T>(index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw usageError(
      `column ${index + 1}: ${(error as MarError).message}`,
      'the header holds field paths: asset,language,due.date,uses.items[0]',
    );
  }
}

export const isEmptyRow = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** A record from a line of cells. An empty cell is a field that is not there. */
export function recordOf(
  cells: readonly string[],
  { columns }: Header,
  setDate: TableOptions['setDate'],
): JsonObject {
  const record: JsonObject = new Map();
  const dates: [path: string, date: string][] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell.trim() === '') continue;
    const column = columns[index];
    if (!column) {
      throw usageError(
        `cell ${index + 1} (${cell.slice(0, 30)}) has no column: the header has ${columns.length}`,
      );
    }
    if (column.field.some(isTime) && isDateText(cell.trim())) {
      dates.push([column.path, cell.trim()]);
      continue;
    }
    place(record, column, readCell(cell, column.path, column.field, column.isRepeated));
  }
  closeGaps(record);
  // Last: the zone that a date is in stands in another cell.
  for (const [path, date] of dates) setDate(record, path, date);
  return record;
}

/** Puts a value where its column says. Elements may come in any order, so a list may have gaps. */
function place(record: JsonObject, { path, steps, isRepeated }: Column, value: Json): void {
  let at: Json = record;
  for (const [index, step] of steps.entries()) {
    const before: Json | undefined = childOf(at, step, path);
    let next = before;
    if (index === steps.length - 1) {
      next = isRepeated && Array.isArray(before) ? appended(before, value as Json[]) : value;
      if (before !== undefined && !isRepeated) throw conflict(path);
    } else {
      next ??= typeof steps[index + 1] === 'number' ? [] : new Map();
    }
    if (isObject(at)) at.set(String(step), next as Json);
    else (at as Json[])[step as number] = next as Json;
    at = next as Json;
  }
}

/** In place: a copy for each of many columns takes time with their square. */
function appended(list: Json[], more: readonly Json[]): Json[] {
  for (const element of more) list.push(element);
  return list;
}

function childOf(at: Json, step: PathStep, path: string): Json | undefined {
  if (typeof step === 'number' && Array.isArray(at)) return at[step];
  if (typeof step === 'string' && isObject(at)) return at.get(step);
  throw conflict(path);
}

const conflict = (path: string) =>
  usageError(`the column ${path} fills what another column of this row fills in another way`);

/** An empty cell among a list's elements is no element. */
function closeGaps(json: Json): Json {
  // Unlike `map`, it does not visit the gaps, of which there may be many more than elements.
  if (Array.isArray(json)) return Object.values(json).map(closeGaps);
  if (!isObject(json)) return json;
  for (const [key, value] of json) json.set(key, closeGaps(value));
  return json;
}

type Field = readonly z.core.$ZodType[];

interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  element?: z.core.$ZodType;
}

const yes: ReadonlySet<string> = new Set(['true', 'yes', '1']);
const no: ReadonlySet<string> = new Set(['false', 'no', '0']);

/** What a field may be, through whatever is wrapped around it. */
function definitionsOf(field: Field): Definition[] {
  return field.flatMap((schema) => {
    const definition = schema._zod.def as unknown as Definition;
    const { innerType, options } = definition;
    if (innerType) return definitionsOf([innerType]);
    return options ? definitionsOf(options) : [definition];
  });
}

const elementsOf = (field: Field): Field =>
  definitionsOf(field).flatMap(({ element }) => (element ? [element] : []));

const isListField = (field: Field) => definitionsOf(field).some(({ type }) => type === 'array');

/**
 * A cell as what its field is: text where the field is text or not known, else a number, a flag, a
 * list whose elements stand between semicolons. Lists and objects may also be written as JSON.
 */
function readCell(cell: string, path: string, field: Field, isElement = false): Json {
  const types = new Set(definitionsOf(field).map(({ type }) => type));
  const text = cell.trim();
  const isStructure = types.has('object') || types.has('record') || types.has('array');
  if (isStructure && /^[{[]/.test(text)) return readJson(text, path);
  if (types.has('array')) {
    const elements = isElement ? [text] : text.split(';');
    return elements
      .filter((element) => element.trim() !== '')
      .map((element) => readCell(element.trim(), path, elementsOf(field)));
  }
  if (types.size === 0 || types.has('string') || types.has('unknown')) return cell;
  if (types.has('boolean')) return readFlag(text, path);
  if (types.has('custom')) return readInteger(text, path, field.some(isTime));
  throw usageError(`${path}: expected JSON, such as {"name": "…"}, found ${shown(text)}`);
}

function readJson(text: string, path: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw usageError(`${path}: ${error.reason}, at column ${error.column} of the cell`);
  }
}

function readFlag(text: string, path: string): boolean {
  const word = text.toLowerCase();
  if (yes.has(word)) return true;
  if (no.has(word)) return false;
  throw usageError(`${path}: expected true or false, found ${shown(text)}`);
}

function readInteger(text: string, path: string, isDate: boolean): JsonNumber {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return new JsonNumber(text);
  const isRounded = /^-?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text);
  const why = isRounded ? ' (the spreadsheet rounded it: format the column as a number)' : '';
  const wanted = isDate ? 'a time such as 2026-12-01T18:00, or a whole number' : 'a whole number';
  throw usageError(`${path}: expected ${wanted}, found ${shown(text)}${why}`);
}

const shown = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
