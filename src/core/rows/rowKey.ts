import { hash } from 'node:crypto';
import { isSecretField, isSecretPath, mayHoldSecret } from '../api/secretFields.ts';
import { hideFields } from '../json/hideFields.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { canonicalJson, isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { type OriginalRow, reasonColumn } from './row.ts';

/** In characters. A batch would need billions of rows before two of them have one key by chance. */
export const keyLength = 16;

/**
 * Stands for a password. Keys are in journals, which people share: whoever has a hash of a weak
 * password, however slow, finds it by trying. No other canonical text has this character.
 */
const secret = '\u0000';

/**
 * Identifies a row by what is written in the file, not by what is sent: `+14d` and an id that is sent
 * as an object stay the same row on another day and with another version.
 */
export const keyOf = (original: OriginalRow): string => identify(original).key;

/** `hasSecret`: the row has a password, which its key does not cover. */
export function identify(original: OriginalRow): { key: string; hasSecret: boolean } {
  const text = 'text' in original ? canonicalText(original.text) : canonicalCells(original);
  return { key: keyOfText(text), hasSecret: text.includes(secret) };
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
    if (error instanceof JsonSyntaxError) {
      return `invalid ${mayHoldSecret(text) ? secret : text.trim()}`;
    }
    throw error;
  }
}

const canonical = (json: Json) =>
  canonicalJson(
    hideFields(json, (value, name, parent) =>
      value !== null && isSecretField(name, parent) ? new JsonNumber(secret) : undefined,
    ),
  );

/** The order of columns and empty cells do not matter, as they do not matter for the record. */
function canonicalCells({ names, cells }: { names: readonly string[]; cells: readonly string[] }) {
  // A separator inside a value has moved the cells after it, and a password may be one of them.
  if (cells.length > names.length && names.some(isSecretPath)) return `invalid ${secret}`;
  const named = cells
    .map((cell, index): [string, string] => [names[index] || `#${index}`, cell])
    .filter(([name, cell]) => cell.trim() !== '' && name !== reasonColumn)
    .sort(([one], [other]) => compare(one, other))
    .map(
      ([name, cell]) =>
        `${JSON.stringify(name)}:${isSecretPath(name) ? secret : canonicalCell(cell)}`,
    );
  return `[${named.join(',')}]`;
}

/** A cell may hold an object with a password. */
const canonicalCell = (cell: string) =>
  /^\s*[{[]/.test(cell) && mayHoldSecret(cell) ? canonicalText(cell) : JSON.stringify(cell);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
