import { usageError } from '../errors.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { fromPlain, type Json } from '../json/value.ts';

/** A body as it is sent: from JSON text, digit by digit, or from ordinary values. */
export function bodyOf(body: unknown): Json {
  if (body === undefined) throw usageError('this endpoint needs a body');
  if (typeof body !== 'string') return fromValues(body);
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw usageError(`the body is not JSON: ${error.message}`);
  }
}

function fromValues(body: unknown): Json {
  try {
    return fromPlain(written(body, new Set()));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`the body cannot be written as JSON: ${error.message}`);
  }
}

/** As `JSON.stringify` sees it: a Date is its text. */
function written(value: unknown, within: ReadonlySet<object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (within.has(value)) throw new TypeError('it holds itself');
  const inner = new Set([...within, value]);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return written(value.toJSON(), inner);
  }
  if (Array.isArray(value)) return value.map((element) => written(element, inner));
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, written(field, inner)]),
  );
}
