import { withoutSignature } from '../http/redact.ts';
import { JsonNumber } from '../json/value.ts';
import { fieldOf, fieldsOf } from './fields.ts';

/** Any JSON value as the text of one cell. Not sanitised: that is for who shows it. */
export function cellText(value: unknown): string {
  const scalar = scalarText(value);
  if (scalar !== undefined) return scalar;
  return Array.isArray(value) ? arrayText(value) : objectText(value);
}

function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withoutSignature(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof JsonNumber) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}

function arrayText(elements: readonly unknown[]): string {
  const texts = elements
    .filter((element) => element !== null && element !== undefined)
    .map((element) => scalarText(element) ?? nameOf(element));
  if (!texts.includes(undefined)) return texts.join(', ');
  return elements.length === 1 ? '1 item' : `${elements.length} items`;
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

/** A value as text for programs: like `cellText`, with booleans as JSON has them. */
export const plainText = (value: unknown): string =>
  typeof value === 'boolean' ? String(value) : cellText(value);
