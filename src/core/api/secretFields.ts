import { hideFields, redacted } from '../json/hideFields.ts';
import type { Json } from '../json/value.ts';
import { Service } from './service.ts';

/** Documented, so the same for every service: `password`, and `cdn.key` for `key` in a `cdn`. */
const fields = new Service().parts('secret', 'fields');
/** Fields with an address whose query lets anybody open the file. */
const signed = new Service().parts('secret', 'queries');

const named = (names: string[]) => new RegExp(`"(?:${names.join('|').replace(/\w+\./g, '')})"`);
const [secretName, signedName] = [named(fields), named(signed)];

export const isSecretField = (name: string, parent = '') =>
  fields.some((field) => field === name || field === `${parent}.${name}`);

/** Whether a text, even if it is no JSON, names a field that may hold a secret. */
export const namesSecretField = (text: string) =>
  fields.some((field) => text.includes(field)) ||
  secretName.test(text) ||
  (text.includes('?') && signedName.test(text));

/** Quick test on a record's JSON. A name may also be written with escapes. */
export const mayHoldSecret = (text: string) => namesSecretField(text) || text.includes('\\u');

/** `previews`, `cdn` and `key` of `previews[_id=p-1].cdn["key"]`. */
const namesIn = (path: string) =>
  path.split(/[.[\]"'\\]+/).filter((name) => !/^[\d+]*$|=/.test(name));

/** Whether the field at a path, or one above it, holds a credential. */
export const isSecretPath = (path: string) =>
  namesIn(path).some((name, at, all) => isSecretField(name, all[at - 1]));

/** The query of an address. The path of a file may have a question mark, but hardly `?name=value`. */
const query = /^((?:[\w+.-]+:)?\/\/[^?]*\?|[^?]*\?(?=[^?]*=)).+$/s;

/** Returns the text in place of a value; undefined if the value is shown. */
export function hiddenValue(value: Json, name: string, parent: string): Json | undefined {
  if (value !== null && isSecretField(name, parent)) return redacted;
  if (typeof value !== 'string' || !signed.includes(name)) return undefined;
  return value.replace(query, `$1${redacted}`);
}

/** A copy without secrets, of a record or of the value at this path. */
export function hideSecrets(json: Json, path = ''): Json {
  const [name, parent] = namesIn(path).reverse();
  return json !== null && isSecretPath(path)
    ? redacted
    : hideFields(json, hiddenValue, name, parent);
}

/** Whether a secret is hidden: writing the record back would replace the real one. */
export function hasHiddenSecret(json: Json): boolean {
  let isFound = false;
  hideFields(json, (value, name, parent) => {
    // Tables and traces end an address with an ellipsis.
    const isCut = typeof value === 'string' && /\?(?:…|(?:\[|%5B)redacted)/i.test(value);
    isFound ||= signed.includes(name) ? isCut : value === redacted && isSecretField(name, parent);
    return undefined;
  });
  return isFound;
}
