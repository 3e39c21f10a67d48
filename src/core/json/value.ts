/**
 * Lossless JSON. A number keeps its source, so that 9007199254740993 and 1.0 do not change. An object
 * is a Map, so that keys keep their order and none can reach a prototype.
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

export function copyOf(json: Json): Json {
  if (Array.isArray(json)) return json.map(copyOf);
  if (!isObject(json)) return json;
  return new Map([...json].map(([key, value]) => [key, copyOf(value)]));
}

/** Compares numbers digit by digit, and keys in any order. */
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

/** Converts to ordinary values. Big integers lose their last digits. */
export function toPlain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.source);
  if (Array.isArray(json)) return json.map(toPlain);
  if (!isObject(json)) return json;
  // fromEntries defines own properties: a key named __proto__ is harmless.
  return Object.fromEntries([...json].map(([key, value]) => [key, toPlain(value)]));
}

/** Applies `toJSON`, as `JSON.stringify` does: a Date becomes a string. Lossless parts stay. */
export function fromPlain(value: unknown): Json {
  if (value instanceof JsonNumber || value instanceof Map) return value;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint' || Number.isFinite(value)) return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== 'object') throw new TypeError(`a value of type ${typeof value} is not JSON`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return fromPlain(value.toJSON());
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return new Map(entries.map(([key, field]) => [key, fromPlain(field)]));
}

export function printJson(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(printJson).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = [...json].map(([key, value]) => `${JSON.stringify(key)}:${printJson(value)}`);
  return `{${entries.join(',')}}`;
}

/** Equal values give equal strings: keys are sorted. */
export function canonicalJson(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(canonicalJson).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const fields = [...json].map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`);
  return `{${fields.sort().join(',')}}`;
}
