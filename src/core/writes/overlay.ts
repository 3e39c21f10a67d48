import { redacted } from '../json/hideFields.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { byId, idFieldOf } from '../records/recordDiff.ts';

/** What a file says over a record: objects are merged, lists are replaced, hidden values stay. */
export const overlay = (record: JsonObject, given: JsonObject): JsonObject =>
  merged(given, record, true) as JsonObject;

/** The record of a file, with the values that `mar` hid when it printed the record. */
export const withHidden = (given: JsonObject, record: JsonObject): JsonObject =>
  merged(given, record, false) as JsonObject;

function merged(given: Json, own: Json | undefined, keepsRest: boolean): Json {
  if (own !== undefined && hides(given, own)) return own;
  if (isObject(given)) {
    const fields = isObject(own) ? own : new Map<string, Json>();
    const set = [...given].map(([name, value]): [string, Json] => [
      name,
      merged(value, fields.get(name), keepsRest),
    ]);
    const rest = keepsRest ? [...fields].filter(([name]) => !given.has(name)) : [];
    return new Map([...set, ...rest]);
  }
  if (!Array.isArray(given) || !Array.isArray(own)) return given;
  const field = idFieldOf(given, own);
  const named = field && byId(own, field);
  return given.map((one, index) => {
    const id = field && isObject(one) ? one.get(field) : undefined;
    const same = named ? named.get(String(id)) : own.length === given.length && own[index];
    return merged(one, same || undefined, false);
  });
}

/** Of a signed address, only a part is hidden. */
function hides(given: Json, own: Json): boolean {
  if (typeof given !== 'string' || !given.includes(redacted)) return false;
  const [start = '', end = ''] = given.split(redacted);
  return (
    given === redacted || (typeof own === 'string' && own.startsWith(start) && own.endsWith(end))
  );
}
