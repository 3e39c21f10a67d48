import { redacted, withoutSignature } from '../json/hideFields.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, idFieldOf } from '../records/recordDiff.ts';
import { referenceTo } from '../records/references.ts';

/** Puts a file over a record: objects are merged, also in lists if they have ids; other lists are replaced. */
export const overlay = (record: JsonObject, given: JsonObject): JsonObject =>
  merged(given, record, true, isNamedBy) as JsonObject;

/** The record of a file, with the values that `mar` hid when it printed the record. */
export const withHidden = (given: JsonObject, record: JsonObject): JsonObject =>
  merged(given, record, false, () => false) as JsonObject;

/** A value of a row, which may have only the ids of embedded records, for the one that is there. */
export const withEmbedded = (given: Json, own: Json | undefined): Json =>
  merged(given, own, false, isNamedBy);

/** An id alone names the embedded record that is there, which stays. */
const isNamedBy = (given: Json, own: Json): boolean =>
  isObject(own) && own.has('_id') && isSame(given, referenceTo(own.get('_id') ?? null));

function merged(
  given: Json,
  own: Json | undefined,
  keepsRest: boolean,
  stays: typeof isNamedBy,
): Json {
  if (own !== undefined && (hides(given, own) || stays(given, own))) return own;
  if (isObject(given)) {
    const fields = isObject(own) ? own : new Map<string, Json>();
    const set = [...given].map(
      ([name, value]) => [name, merged(value, fields.get(name), keepsRest, stays)] as const,
    );
    return new Map([
      ...set,
      ...[...(keepsRest ? fields : [])].filter(([name]) => !given.has(name)),
    ]);
  }
  if (!Array.isArray(given) || !Array.isArray(own)) return given;
  const field = idFieldOf(given, own);
  const keys = field ? [...byId(given, field).keys()] : [];
  const named = field && byId(own, field);
  const isSameLength = own.length === given.length;
  const sameAt = (index: number) => (isSameLength ? own[index] : undefined);
  return given.map((one, at) =>
    named
      ? merged(one, named.get(keys[at] ?? ''), keepsRest, stays)
      : merged(one, sameAt(at), false, stays),
  );
}

/** True for a text that was printed without a part: the query of an address. */
function hides(given: Json, own: Json): boolean {
  if (given === redacted) return true;
  if (typeof own === 'string' && given === withoutSignature(own)) return true;
  const [start = '', end] = typeof given === 'string' ? given.split(redacted) : [];
  return end !== undefined && typeof own === 'string' && own.startsWith(start) && own.endsWith(end);
}
