/**
 * JSON as it was written. A number keeps its source, so 9007199254740993 and 1.0 stay what they
 * were; an object is a Map, so every key keeps its place and none can reach a prototype.
 */
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

export class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export const isObject = (json: Json | undefined): json is JsonObject => json instanceof Map;

/** The same value, to be changed on its own. */
export function copyOf(json: Json): Json {
  if (Array.isArray(json)) return json.map(copyOf);
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [key, copyOf(value)]));
}

/** Whether two values are the same: numbers to the digit, keys in any order. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a instanceof JsonNumber) return b instanceof JsonNumber && a.source === b.source;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]))
    );
  }
  if (!isObject(a) || !isObject(b) || a.size !== b.size) return false;
  return [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)));
}

/** As ordinary values, for checking and for showing; big integers lose their last digits here. */
export function toPlain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.source);
  if (Array.isArray(json)) return json.map(toPlain);
  if (!isObject(json)) return json;
  // fromEntries defines own properties: a key named __proto__ is only a key.
  return Object.fromEntries([...json].map(([key, value]) => [key, toPlain(value)]));
}

/** From ordinary values, for what the program itself makes. */
export function fromPlain(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint' || Number.isFinite(value)) return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== 'object') throw new TypeError(`no JSON for a ${typeof value}`);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return new Map(entries.map(([key, field]) => [key, fromPlain(field)]));
}

/** On one line. */
export function printJson(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(printJson).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = [...json].map(([key, value]) => `${JSON.stringify(key)}:${printJson(value)}`);
  return `{${entries.join(',')}}`;
}
