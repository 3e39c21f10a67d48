import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { type Clock, pastDate } from './deadlines.ts';
import { notARecordError } from './document.ts';
import { idOf, referenceTo } from './references.ts';
import { workRequestState } from './template.ts';

/** A new work request with the wishes of an existing one, and none of its progress. */
export interface RequestCopy {
  /** The id of the work request that was copied. */
  id: string;
  record: JsonObject;
  dropped: readonly string[];
}

/** Embedded records of which a new work request needs only the id. */
const references = ['project', 'asset'];

export function copyRequest(json: Json, id: string, clock: Clock): RequestCopy {
  if (!isObject(json)) throw notARecordError(`work request ${id}`);
  const isKept = (name: string) => {
    if (name.startsWith('$') || workRequestState.includes(name)) return false;
    // Nobody can deliver in the past. A past due date needs a decision instead.
    return name !== 'deliveryDeadline' || !pastDate(json.get(name), clock);
  };
  const names = [...json.keys()];
  const fields = [...json].filter(([name]) => isKept(name));
  return {
    id,
    record: new Map(fields.map(([name, value]) => [name, initialValue(name, value)])),
    dropped: names.filter((name) => !isKept(name)),
  };
}

function initialValue(name: string, value: Json): Json {
  const id = references.includes(name) ? idOf(value) : undefined;
  if (id !== undefined) return referenceTo(id);
  if (name !== 'materials' || !Array.isArray(value)) return value;
  return value.map((material) => (isObject(material) ? missingMaterial(material) : material));
}

function missingMaterial(material: JsonObject): JsonObject {
  const copy = new Map(material);
  for (const name of ['complete', 'approved']) if (copy.has(name)) copy.set(name, false);
  return copy.has('files') ? copy.set('files', []) : copy;
}

/** Fields that often depend on the language. */
const localFields: readonly (readonly [
  name: string,
  read: (record: JsonObject) => Json | undefined,
])[] = [
  ['territory', (record) => record.get('territory')],
  ['due.tz', (record) => fieldBelow(record.get('due'), 'tz')],
  ['deliveryDeadline.tz', (record) => fieldBelow(record.get('deliveryDeadline'), 'tz')],
  ['tags', (record) => record.get('tags')],
  ['recipients', (record) => record.get('recipients')],
  ['instructions', (record) => record.get('instructions')],
];

const fieldBelow = (json: Json | undefined, name: string) =>
  isObject(json) ? json.get(name) : undefined;

/** The fields that a copy in another language still has from the old language, with their values. */
export function oldLanguageFields(before: JsonObject, after: JsonObject): [string, Json][] {
  if (isSame(before.get('language'), after.get('language'))) return [];
  return localFields.flatMap(([name, read]): [string, Json][] => {
    const kept = keptPart(read(before), read(after));
    return kept === undefined || isEmpty(kept) ? [] : [[name, kept]];
  });
}

/** The value if it is unchanged. Of a list, such as the tags, the elements that are still there. */
function keptPart(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return isSame(before, after) ? before : undefined;
  }
  return before.filter((one) => after.some((other) => isSame(one, other)));
}

function isEmpty(json: Json | undefined): boolean {
  if (Array.isArray(json)) return json.length === 0;
  if (isObject(json)) return [...json.values()].every(isEmpty);
  return json === undefined || json === null || json === '';
}
