import { hideFields, redacted } from '../json/hideFields.ts';
import type { Json } from '../json/value.ts';
import { Service } from './service.ts';

/** The document names them, so they are the same for every service. `cdn.key` is `key` in a `cdn`. */
const documented = new Service();
const secretFields = documented.parts('secret', 'fields');
/** Fields with an address whose query lets anybody open the file. */
const signedFields = documented.parts('secret', 'queries');

const named = (names: readonly string[]) =>
  new RegExp(`"(?:${names.map((name) => name.split('.').at(-1)).join('|')})"`);
const [secretName, signedName] = [named(secretFields), named(signedFields)];

/** Whether a field holds a credential, at any depth. */
export const isSecretField = (name: string, parent = '') =>
  secretFields.some((field) => field === name || field === `${parent}.${name}`);

/** Whether a text, even if it is no JSON, names a field that may hold a secret. */
export const namesSecretField = (text: string) =>
  text.includes('password') ||
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

/** What is shown in place of a value; undefined if it is shown itself. */
export function hiddenValue(value: Json, name: string, parent: string): Json | undefined {
  if (value !== null && isSecretField(name, parent)) return redacted;
  const isSigned = typeof value === 'string' && signedFields.includes(name);
  return isSigned ? value.replace(query, `$1${redacted}`) : undefined;
}

/** The query of an address. A path of a file may have a question mark, but hardly `?name=value`. */
const query = /^((?:[\w+.-]+:)?\/\/[^?]*\?|[^?]*\?(?=[^?]*=)).+$/s;

/** A copy without secrets, of a record or of the value at this path. */
export function hideSecrets(json: Json, path = ''): Json {
  if (json !== null && isSecretPath(path)) return redacted;
  const [name, parent] = namesIn(path).reverse();
  return hideFields(json, hiddenValue, name, parent);
}

/** Whether a secret is hidden: writing the record back would replace the real one. */
export function hasHiddenSecret(json: Json): boolean {
  let isFound = false;
  hideFields(json, (value, name, parent) => {
    const isSigned = signedFields.includes(name) && typeof value === 'string';
    // Tables and traces end the address with an ellipsis.
    isFound ||= isSigned && /\?(?:…|(?:\[|%5B)redacted)/i.test(value);
    isFound ||= value === redacted && isSecretField(name, parent);
    return undefined;
  });
  return isFound;
}
