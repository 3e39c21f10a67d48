import { hideFields, redacted } from '../json/hideFields.ts';
import { isObject, type Json } from '../json/value.ts';

/** Whether a field holds a credential, at any depth. */
export const isSecretField = (name: string) => name === 'password';

/** Quick test on a record's JSON. A name may also be written with escapes. */
export const mayHoldSecret = (text: string) => /password|\\u/.test(text);

export const hideSecrets = (json: Json): Json => hideFields(json, isSecretField);

/** Whether a secret is hidden: writing the record back would replace the real one. */
export function hasHiddenSecret(json: Json): boolean {
  if (Array.isArray(json)) return json.some(hasHiddenSecret);
  if (!isObject(json)) return false;
  return [...json].some(
    ([key, value]) => (isSecretField(key) && value === redacted) || hasHiddenSecret(value),
  );
}
