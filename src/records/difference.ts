import { isSecretField } from '../api/secrets.ts';
import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, commonEnds, elementPath, idFieldOf, isSameOrder } from './elements.ts';

/** One field that is not the same in two records. */
export interface Difference {
  /** `usage.online`, `previews[_id=p-4001].label`, `tags[2]`. */
  path: string;
  /** Absent where the field is added. */
  before?: Json;
  /** Absent where it is removed. */
  after?: Json;
  /** Elements stand in another order: their ids are what is before and after. */
  isOrder?: true;
  /** Its value is not to be shown. */
  isSecret?: true;
}

/** Field by field, in the order of the record. Elements of an array are told apart by their ids. */
export function differences(before: Json | undefined, after: Json | undefined): Difference[] {
  const found: Difference[] = [];
  walk(before, after, { path: '', isSecret: false }, found);
  return found;
}

interface Place {
  path: string;
  isSecret: boolean;
}

function walk(
  before: Json | undefined,
  after: Json | undefined,
  place: Place,
  found: Difference[],
): void {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) walkFields(before, after, place, found);
  else if (Array.isArray(before) && Array.isArray(after)) walkArray(before, after, place, found);
  else found.push({ before, after, ...described(place) });
}

const described = ({ path, isSecret }: Place) =>
  (isSecret ? { path, isSecret } : { path }) as {
    path: string;
    isSecret?: true;
  };

function walkFields(before: JsonObject, after: JsonObject, place: Place, found: Difference[]) {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const path = extendPath(place.path, key);
    const isSecret = place.isSecret || isSecretField(key);
    walk(before.get(key), after.get(key), { path, isSecret }, found);
  }
}

function walkArray(before: Json[], after: Json[], place: Place, found: Difference[]): void {
  const field = idFieldOf(before, after);
  const at = (path: string): Place => ({ ...place, path });
  if (field) {
    const [old, now] = [byId(before, field), byId(after, field)];
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      walk(old.get(id), now.get(id), at(elementPath(place.path, field, id)), found);
    }
    if (!isSameOrder(old, now)) {
      const order = { before: [...old.keys()], after: [...now.keys()] };
      found.push({ ...described(place), ...order, isOrder: true });
    }
    return;
  }
  const { begin, end } = commonEnds(before, after, isSame);
  const last = Math.max(before.length, after.length) - end;
  for (let index = begin; index < last; index += 1) {
    const old = index < before.length - end ? before[index] : undefined;
    const now = index < after.length - end ? after[index] : undefined;
    walk(old, now, at(extendPath(place.path, index)), found);
  }
}
