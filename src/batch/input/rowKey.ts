import { hash } from 'node:crypto';
import { isSecretField } from '../../api/secrets.ts';
import { JsonSyntaxError, parseJson } from '../../json/parse.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { type OriginalRow, reasonColumn } from './row.ts';

/** In characters. A batch would need billions of rows before two of them have one key by chance. */
export const keyLength = 16;

/**
 * Identifies a row by what is written in the file, not by what is sent: `+14d` and an id that is sent
 * as an object stay the same row on another day and with another version.
 */
export function keyOf(original: OriginalRow): string {
  return keyOfText('text' in original ? canonicalText(original.text) : canonicalCells(original));
}

/** Identifies a record that is sent. Never equal to the key of a row, which --set may still change. */
export const keyOfRecord = (record: JsonObject) => keyOfText(`record ${canonical(record)}`);

const keyOfText = (text: string) =>
  hash('sha256', text, 'buffer').toString('base64url', 0, (keyLength * 3) / 4);

function canonicalText(text: string): string {
  try {
    const json = parseJson(text);
    if (isObject(json)) json.delete(reasonColumn);
    return canonical(json);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `invalid ${text.trim()}`;
    throw error;
  }
}

function canonical(json: Json, name = ''): string {
  if (isSecretField(name)) return shortHash(canonical(json));
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map((element) => canonical(element)).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = [...json].sort(([one], [other]) => compare(one, other));
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value, key)}`).join(',')}}`;
}

/** The order of columns and empty cells do not matter, as they do not matter for the record. */
function canonicalCells({ names, cells }: { names: readonly string[]; cells: readonly string[] }) {
  const named = cells
    .map((cell, index): [string, string] => [names[index] || `#${index}`, cell])
    .filter(([name, cell]) => cell.trim() !== '' && name !== reasonColumn)
    .sort(([one], [other]) => compare(one, other))
    .map(([name, cell]) => [name, name.split('.').some(isSecretField) ? shortHash(cell) : cell]);
  return JSON.stringify(named);
}

/** Long enough to notice a changed secret, too short to guess it from the journal. */
const shortHash = (text: string) => hash('sha256', text).slice(0, 8);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
