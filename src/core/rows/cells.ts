import { isTime } from '../api/schemas.ts';
import { type FieldSchemas, partsOf } from '../api/schemaWalk.ts';
import { fieldError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { type Json, JsonNumber } from '../json/value.ts';
import { referenceTo } from '../records/references.ts';

/**
 * Reads a cell as the type of its field: a string where the field is a string or unknown, else a
 * number, a boolean, a list with semicolons, or the id of another record, which becomes an object.
 * Lists and objects may also be written as JSON.
 */
export function readCell(cell: string, path: string, field: FieldSchemas): Json {
  const parts = partsOf(field);
  const types = new Set(parts.map(({ type }) => type));
  const text = cell.trim();
  const isStructure = ['object', 'record', 'array'].some((type) => types.has(type));
  if (isStructure && /^[{[]/.test(text)) return readJson(text, path);
  if (parts.some(({ shape }) => shape && '_id' in shape)) return referenceTo(text);
  if (types.has('array')) {
    const elementField = parts.flatMap(({ element }) => element ?? []);
    // Names in a list have no commas, unlike elements that are not documented, such as addresses.
    const isNames = partsOf(elementField).every(({ type }) => type === 'string');
    return text
      .split(isNames ? /[;,\n]/ : /[;\n]/)
      .filter((element) => element.trim() !== '')
      .map((element) => readCell(element.trim(), path, elementField));
  }
  if (types.size === 0 || types.has('string') || types.has('unknown')) return cell;
  if (types.has('boolean')) return readBoolean(text, path);
  if (types.has('custom')) return readInteger(text, path, field.some(isTime));
  if (types.has('number') && jsonNumber.test(text)) return new JsonNumber(text);
  throw fieldError(path, `expected JSON such as {"name": "…"}, found ${quote(text)}`);
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
  if (trueWords.includes(word)) return true;
  if (falseWords.includes(word)) return false;
  throw fieldError(path, `expected true or false, found ${quote(text)}`);
}

const trueWords = 'true yes y ja oui si sí x 1 wahr vrai verdadero'.split(' ');
const falseWords = 'false no n nein non 0 falsch faux falso'.split(' ');

function readInteger(text: string, path: string, isDate: boolean): JsonNumber {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return new JsonNumber(text);
  const isRounded = /^-?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text);
  const why = isRounded ? ' (rounded by the spreadsheet; format the column as a number)' : '';
  const wanted = isDate ? 'a time such as 2026-12-01T18:00 or an integer' : 'an integer';
  throw fieldError(path, `expected ${wanted}, found ${quote(text)}${why}`);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Spreadsheets store dates as numbers, and some formats of numbers look like those of dates. */
export function problemWith(value: unknown, isDate: boolean): string | undefined {
  if (!isDate && value instanceof Date) return 'holds a date, but takes none';
  const isDays = isDate && typeof value === 'number' && value < minTime;
  return isDays ? `holds the number ${value}; format the cell as a date` : undefined;
}

export function takesNumber(field: FieldSchemas): boolean {
  const types = partsOf(field).map(({ type }) => type);
  return !types.includes('string') && types.some((type) => type === 'custom' || type === 'number');
}

/** Smaller numbers in a sheet are days since 1900. */
const minTime = 10_000_000;
