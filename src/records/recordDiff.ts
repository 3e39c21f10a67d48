import { isSecretField } from '../api/secrets.ts';
import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';

export interface Difference {
  /** `usage.online`, `previews[_id=p-4001].label`, `tags[2]`. */
  path: string;
  /** Absent where the field is added. */
  before?: Json;
  /** Absent where the field is removed. */
  after?: Json;
  /** The order of the elements changed: `before` and `after` are their ids. */
  isOrder?: true;
  isSecret?: true;
}

/** Compares field by field, in the order of the record. Elements of an array are matched by id. */
export function differences(before: Json | undefined, after: Json | undefined): Difference[] {
  const found: Difference[] = [];
  walk(before, after, { path: '' }, found);
  return found;
}

type Place = Pick<Difference, 'path' | 'isSecret'>;

function walk(
  before: Json | undefined,
  after: Json | undefined,
  place: Place,
  found: Difference[],
): void {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const isSecret = place.isSecret || isSecretField(key) || undefined;
      const path = extendPath(place.path, key);
      walk(before.get(key), after.get(key), { path, isSecret }, found);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) walkArray(before, after, place, found);
  else found.push({ ...place, before, after });
}

function walkArray(before: Json[], after: Json[], place: Place, found: Difference[]): void {
  const field = idFieldOf(before, after);
  if (field) {
    const [old, now] = [byId(before, field), byId(after, field)];
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const path = elementPath(place.path, field, id);
      walk(old.get(id), now.get(id), { ...place, path }, found);
    }
    if (!isSameOrder(old, now)) {
      found.push({ ...place, before: [...old.keys()], after: [...now.keys()], isOrder: true });
    }
    return;
  }
  const { start, end } = commonEnds(before, after);
  const old = before.slice(0, before.length - end);
  const now = after.slice(0, after.length - end);
  for (let index = start; index < Math.max(old.length, now.length); index += 1) {
    walk(old[index], now[index], { ...place, path: extendPath(place.path, index) }, found);
  }
}

const idFields = ['_id', 'id'] as const;
export type IdField = (typeof idFields)[number];

/** The field that identifies every element of all these arrays, without duplicates. */
export function idFieldOf(...arrays: readonly Json[][]): IdField | undefined {
  if (arrays.every((array) => array.length === 0)) return undefined;
  return idFields.find((field) => arrays.every((array) => isNamedBy(array, field)));
}

function isNamedBy(array: readonly Json[], field: IdField): boolean {
  const names = array.map((element) => (isObject(element) ? element.get(field) : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === array.length;
}

export const byId = (array: readonly Json[], field: IdField): Map<string, Json> =>
  new Map(array.map((one) => [isObject(one) ? String(one.get(field)) : '', one]));

/** `previews[_id=p-4001]`: the index may differ between two records, the id does not. */
export const elementPath = (path: string, field: IdField, id: string): string => {
  const quoted = extendPath('', id);
  return `${path}[${field}=${quoted.startsWith('[') ? quoted.slice(1, -1) : id}]`;
};

/** Compares only the elements that both have. */
export function isSameOrder(a: Map<string, Json>, b: Map<string, Json>): boolean {
  const inBoth = (one: Map<string, Json>, other: Map<string, Json>) =>
    [...one.keys()].filter((id) => other.has(id));
  const [first, second] = [inBoth(a, b), inBoth(b, a)];
  return first.every((id, index) => id === second[index]);
}

function commonEnds(a: readonly Json[], b: readonly Json[]): { start: number; end: number } {
  const max = Math.min(a.length, b.length);
  let start = 0;
  while (start < max && isSame(a[start], b[start])) start += 1;
  let end = 0;
  while (end < max - start && isSame(a.at(-1 - end), b.at(-1 - end))) end += 1;
  return { start, end };
}

/** The changes from one record to another as a JSON Patch (RFC 6902). */
export function jsonPatch(before: Json, after: Json): Json[] {
  const patch: Json[] = [];
  compare(before, after, '', patch);
  return patch;
}

const operation = (op: string, path: string, more: Record<string, Json> = {}): Json =>
  new Map<string, Json>([['op', op], ['path', path], ...Object.entries(more)]);

/** Extends a JSON Pointer (RFC 6901). */
const below = (pointer: string, step: string | number) =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

function compare(before: Json, after: Json, pointer: string, patch: Json[]): void {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) compareFields(before, after, pointer, patch);
  else if (Array.isArray(before) && Array.isArray(after)) {
    const field = idFieldOf(before, after);
    if (field) compareById(byId(before, field), byId(after, field), pointer, patch);
    else compareByPlace(before, after, pointer, patch);
  } else patch.push(operation('replace', pointer, { value: after }));
}

function compareFields(before: JsonObject, after: JsonObject, pointer: string, patch: Json[]) {
  for (const [key, old] of before) {
    const value = after.get(key);
    if (value === undefined) patch.push(operation('remove', below(pointer, key)));
    else compare(old, value, below(pointer, key), patch);
  }
  for (const [key, value] of after) {
    if (!before.has(key)) patch.push(operation('add', below(pointer, key), { value }));
  }
}

/** Moving elements takes quadratic time: a larger array is replaced as a whole. */
const maxMoved = 2000;

/** Removes elements first, then adds and moves: each operation sees the result of those before. */
function compareById(before: JsonObject, after: JsonObject, pointer: string, patch: Json[]): void {
  if (after.size > maxMoved && !isSameOrder(before, after)) {
    patch.push(operation('replace', pointer, { value: [...after.values()] }));
    return;
  }
  const ids = [...before.keys()];
  const removed = ids.flatMap((id, index) => (after.has(id) ? [] : index));
  for (const index of removed.reverse()) patch.push(operation('remove', below(pointer, index)));
  // The elements that stay, in their current order; those before `next` are in place.
  const kept = ids.filter((id) => after.has(id));
  let next = 0;
  for (const [index, [id, value]] of [...after].entries()) {
    const path = below(pointer, index);
    const old = before.get(id);
    if (old === undefined) {
      patch.push(operation('add', path, { value }));
      continue;
    }
    if (kept[next] !== id) {
      const from = kept.indexOf(id);
      patch.push(operation('move', path, { from: below(pointer, index + from - next) }));
      kept.splice(next, 0, ...kept.splice(from, 1));
    }
    next += 1;
    compare(old, value, path, patch);
  }
}

function compareByPlace(before: Json[], after: Json[], pointer: string, patch: Json[]): void {
  const { start, end } = commonEnds(before, after);
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const common = Math.min(old.length, now.length);
  for (let index = 0; index < common; index += 1) {
    compare(old[index] as Json, now[index] as Json, below(pointer, start + index), patch);
  }
  for (let index = old.length - 1; index >= common; index -= 1) {
    patch.push(operation('remove', below(pointer, start + index)));
  }
  for (const [index, value] of now.slice(common).entries()) {
    patch.push(operation('add', below(pointer, start + common + index), { value }));
  }
}
