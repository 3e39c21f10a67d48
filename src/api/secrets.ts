import { isObject, type Json } from '../json/value.ts';

/** Fields that hold a credential, wherever they stand in a record. */
const secretFields = new Set(['password']);

export const isSecretField = (name: string) => secretFields.has(name);

/** Whether a name, or a text with names in it, speaks of a credential, whatever it is called. */
export const namesSecret = (text: string) =>
  /pass(?:word|wd|phrase|code)|token|secret|credential|api[_-]?key/i.test(text);

/** What stands in place of a secret when a record is shown. */
export const redacted = '[redacted]';

/** The same record with its secrets hidden; the record itself is left as it is. */
export function hideSecrets(json: Json, isSecret = isSecretField): Json {
  if (Array.isArray(json)) return json.map((item) => hideSecrets(item, isSecret));
  if (!isObject(json)) return json;
  const fields = [...json].map(([key, value]): [string, Json] => [
    key,
    isSecret(key) && value !== null ? redacted : hideSecrets(value, isSecret),
  ]);
  return new Map(fields);
}

/** Whether a secret in the record was hidden: writing it back would replace the real one. */
export function hasHiddenSecret(json: Json): boolean {
  if (Array.isArray(json)) return json.some(hasHiddenSecret);
  if (!isObject(json)) return false;
  return [...json].some(
    ([key, value]) => (secretFields.has(key) && value === redacted) || hasHiddenSecret(value),
  );
}
