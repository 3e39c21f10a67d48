import type * as z from 'zod/mini';
import { isTime } from '../../api/schemas.ts';
import { usageError } from '../../errors.ts';
import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { type Json, JsonNumber } from '../../json/value.ts';

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

export const isListField = (field: Field) =>
  definitionsOf(field).some(({ type }) => type === 'array');

/**
 * A cell as what its field is: text where the field is text or not known, else a number, a flag, a
 * list whose elements stand between semicolons. Lists and objects may also be written as JSON.
 */
export function readCell(cell: string, path: string, field: Field, isElement = false): Json {
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
