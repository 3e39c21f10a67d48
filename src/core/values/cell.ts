import { fieldOf, fieldsOf } from '../json/fields.ts';
import { cleanTexts, withoutSignature } from '../json/hideFields.ts';
import { fromPlain, JsonNumber, printJson } from '../json/value.ts';
import { pluralNoun } from './numbers.ts';

/** Any JSON value as one cell for people. The caller has to sanitise it. */
export function cellText(value: unknown): string {
  const scalar = scalarText(value);
  if (scalar !== undefined) return scalar;
  if (!Array.isArray(value)) return embeddedName(value) ?? emptyOrJson(value);
  return namesIn(value) ?? `${value.length} ${pluralNoun(value.length, 'item')}`;
}

/**
 * Any JSON value as one cell for programs, in the form that `--batch` reads: an embedded record as its
 * id, a list with semicolons, and as JSON what these cannot hold.
 */
export function machineCell(value: unknown): string {
  if (!Array.isArray(value)) return plainScalar(value) ?? cellId(value) ?? emptyOrJson(value);
  const texts = value.map(
    value.every((element) => typeof element === 'string') ? elementText : cellId,
  );
  return texts.includes(undefined) ? compactJson(value) : texts.join(';');
}

const cellId = (object: unknown) => elementText(fieldOf(object, '_id'));

/** Undefined for anything that would be read back as something else. */
function elementText(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^$|^[\s[{]|\s$|[;,\n]/.test(value)) return undefined;
  return withoutSignature(value);
}

const plainScalar = (value: unknown) =>
  typeof value === 'boolean' ? String(value) : scalarText(value);

function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return withoutSignature(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof JsonNumber) return value.source;
  return typeof value === 'object' ? undefined : String(value);
}

function namesIn(elements: readonly unknown[]): string | undefined {
  const texts = elements
    .filter((element) => element !== null && element !== undefined)
    .map((element) => scalarText(element) ?? embeddedName(element));
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

const emptyOrJson = (object: unknown) =>
  fieldsOf(object)?.length === 0 ? '' : compactJson(object);

const embeddedName = (object: unknown): string | undefined =>
  ['name', '_id'].map((key) => scalarText(fieldOf(object, key))).find(Boolean);

const compactJson = (value: unknown) => printJson(cleanTexts(fromPlain(value), withoutSignature));
