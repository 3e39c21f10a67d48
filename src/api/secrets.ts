import { isObject, type Json } from '../json/value.ts';

/** Fields that hold a credential, at any depth. */
const secretFields = new Set(['password']);

export const isSecretField = (name: string) => secretFields.has(name);

/** Whether a string contains a word for a credential. */
export const namesSecret = (text: string) =>
  /pass(?:word|wd|phrase|code)|token|secret|credential|api[_-]?key/i.test(text);

export const redacted = '[redacted]';

/** Copies a record with its secrets hidden. */
export function hideSecrets(json: Json, isSecret = isSecretField): Json {
  if (Array.isArray(json)) return json.map((item) => hideSecrets(item, isSecret));
  if (!isObject(json)) return json;
  const fields = [...json].map(([key, value]): [string, Json] => [
    key,
    isSecret(key) && value !== null ? redacted : hideSecrets(value, isSecret),
  ]);
  return new Map(fields);
}

/** Whether a secret is hidden: writing the record back would replace the real one. */
export function hasHiddenSecret(json: Json): boolean {
  if (Array.isArray(json)) return json.some(hasHiddenSecret);
  if (!isObject(json)) return false;
  return [...json].some(
    ([key, value]) => (secretFields.has(key) && value === redacted) || hasHiddenSecret(value),
  );
}
