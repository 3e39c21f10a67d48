import { isObject, type Json } from './value.ts';

export const redacted = '[redacted]';

/** Whether a name, or a text with names in it, is about a credential. */
export const namesSecret = (text: string) =>
  /pass(?:word|wd|phrase|code)|token|secret|credential|api[_-]?key/i.test(text);

/** The environment for programs that mar starts: without its tokens, and where they are. */
export const withoutTokens = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !(/^MAR_/i.test(name) && namesSecret(name))),
  );

/** A copy in which every secret field reads `[redacted]`. */
export function hideFields(json: Json, isSecret: (name: string) => boolean): Json {
  if (Array.isArray(json)) return json.map((item) => hideFields(item, isSecret));
  if (!isObject(json)) return json;
  const fields = [...json].map(([key, value]): [string, Json] => [
    key,
    isSecret(key) && value !== null ? redacted : hideFields(value, isSecret),
  ]);
  return new Map(fields);
}
