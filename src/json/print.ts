import { isObject, type Json, JsonNumber } from './value.ts';

/** On one line. */
export function printJson(json: Json): string {
  if (json instanceof JsonNumber) return json.source;
  if (Array.isArray(json)) return `[${json.map(printJson).join(',')}]`;
  if (!isObject(json)) return JSON.stringify(json);
  const entries = [...json].map(([key, value]) => `${JSON.stringify(key)}:${printJson(value)}`);
  return `{${entries.join(',')}}`;
}
