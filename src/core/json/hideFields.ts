import { isObject, type Json } from './value.ts';

export const redacted = '[redacted]';

/** Whether a name, or a text with names in it, is about a credential. */
export const namesSecret = (text: string) =>
  /pass(?:word|wd|phrase|code)|token|secret|credential|api[_-]?key/i.test(text);

/** Returns the replacement for the value of a field; undefined to keep it. `parent` names the field around it. */
type Hide = (value: Json, name: string, parent: string) => Json | undefined;

/** A copy in which some values are replaced. Elements of a list have its name. */
export function hideFields(json: Json, hide: Hide, name = '', parent = ''): Json {
  const hidden = hide(json, name, parent);
  if (hidden !== undefined) return hidden;
  if (Array.isArray(json)) return json.map((item) => hideFields(item, hide, name, parent));
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [key, hideFields(value, hide, key, name)]));
}

/** A copy in which every text, and every name of a field, is cleaned. */
export function cleanTexts(json: Json, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (Array.isArray(json)) return json.map((item) => cleanTexts(item, clean));
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [clean(key), cleanTexts(value, clean)]));
}

/** A password may hold an unescaped `@` or `/`, so everything up to the last `@` is dropped. */
export function withoutCredentials(address: string): string {
  const [, , place] = /^(.*(@|%40))(.*?)$/is.exec(address)?.slice(1) ?? [];
  if (place === undefined) return address;
  const [, scheme] = /^\s*(https?|ftp|socks\w*):/i.exec(address) ?? [];
  return `${scheme ? `${scheme}://` : ''}[redacted]@${place}`;
}

/** Drops the query of each URL, since it may hold a key, and with it the rest of the word. */
export function withoutSignature(text: string): string {
  if (!text.includes('?')) return text;
  return text.replace(/[^\s"<>]+/g, (word) => {
    // JSON may have escaped each slash with a backslash.
    const host = word.search(/(?:\\?\/){2}/);
    const query = host < 0 ? -1 : word.indexOf('?', host + 3);
    return query < 0 || query === word.length - 1 ? word : `${word.slice(0, query)}?…`;
  });
}
