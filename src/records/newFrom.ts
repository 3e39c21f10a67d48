import { workRequestState } from '../api/workRequestState.ts';
import { MarError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';

/** Records that a work request only refers to; their ids are enough to make another. */
const references = ['project', 'asset'];

/** A new work request like an existing one: what was asked for, and nothing of what became of it. */
export function newFrom(json: Json, id: string): JsonObject {
  if (!isObject(json)) {
    throw new MarError('service', `the service sent a work request ${id} that is not a record`);
  }
  const fields = [...json].filter(
    ([name]) => !name.startsWith('$') && !workRequestState.includes(name),
  );
  return new Map(fields.map(([name, value]) => [name, begun(name, value)]));
}

function begun(name: string, value: Json): Json {
  if (references.includes(name)) return (isObject(value) && value.get('_id')) || value;
  if (name !== 'materials' || !Array.isArray(value)) return value;
  return value.map((material) => (isObject(material) ? awaited(material) : material));
}

/** A material that is asked for, and of which nothing is there yet. */
const awaited = (material: JsonObject): JsonObject =>
  new Map(
    [...material].map(([name, value]): [string, Json] => {
      if (name === 'complete' || name === 'approved') return [name, false];
      return [name, name === 'files' ? [] : value];
    }),
  );
