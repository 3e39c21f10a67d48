import { type MarError, usageError } from '../../errors.ts';
import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { isObject, type JsonObject } from '../../json/value.ts';

/** One record of the input. */
export interface Row {
  /** Counted from 1: empty lines and the header are no rows. */
  number: number;
  /** Where it begins in the input. */
  line: number;
  /** What it holds; throws a usage error where it cannot be read. */
  read(): JsonObject;
}

/** A row that is written as JSON. */
export function readJsonRow(text: string): JsonObject {
  try {
    const json = parseJson(text);
    if (isObject(json)) return json;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw damaged(error);
  }
  throw usageError('expected a record, an object with fields');
}

function damaged({ reason, line, column, near }: JsonSyntaxError): MarError {
  const place = line === 1 ? `column ${column}` : `${line - 1} lines below, column ${column}`;
  return usageError(`${reason}, at ${place}${near === '' ? '' : `, near ${near}`}`);
}
