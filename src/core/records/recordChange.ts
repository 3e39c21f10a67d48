import { parseJson } from '../json/parse.ts';
import { isObject, isSame, type JsonObject, printJson } from '../json/value.ts';

/**
 * The fields in which two versions of a record differ, and those fields only. A field that one of
 * them does not have is missing there.
 */
export interface RecordChange {
  before: JsonObject;
  after: JsonObject;
}

export function changeBetween(before: JsonObject, after: JsonObject): RecordChange {
  const change: RecordChange = { before: new Map(), after: new Map() };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)];
    if (isSame(old, now)) continue;
    const below = isObject(old) && isObject(now) ? changeBetween(old, now) : undefined;
    if (old !== undefined) change.before.set(key, below?.before ?? old);
    if (now !== undefined) change.after.set(key, below?.after ?? now);
  }
  return change;
}

export const changeJson = (change: RecordChange): JsonObject => new Map(Object.entries(change));

/** The JSON of a line of a log, with the change if there is one, and without its closing brace. */
export function lineWith(change: RecordChange | undefined, facts: object): string {
  const json = JSON.stringify(facts).slice(0, -1);
  return change ? `${json},"change":${printJson(changeJson(change))}` : json;
}

export function changeIn(line: string): RecordChange | undefined {
  if (!line.includes('"change":')) return undefined;
  const change = (parseJson(line) as JsonObject).get('change');
  return isObject(change) ? readChange(change) : undefined;
}

export const readChange = (json: JsonObject): RecordChange =>
  Object.fromEntries(json) as unknown as RecordChange;
