import { isSecretField } from '../api/secrets.ts';
import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';

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

/** The fields by which an element of an array is known, wherever in the array it stands. */
const idFields = ['_id', 'id'] as const;
export type IdField = (typeof idFields)[number];

/** The field that names every element of all these arrays, each in its array once. */
export function idFieldOf(...arrays: readonly Json[][]): IdField | undefined {
  if (arrays.every((array) => array.length === 0)) return undefined;
  return idFields.find((field) => arrays.every((array) => isNamedBy(array, field)));
}

function isNamedBy(array: readonly Json[], field: IdField): boolean {
  const names = array.map((element) => (isObject(element) ? element.get(field) : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === array.length;
}

/** An array's elements by their ids, in their order. */
export const byId = (array: readonly Json[], field: IdField): Map<string, Json> =>
  new Map(array.map((element) => [idOf(element, field), element]));

/** Of an element that is known to have one. */
export const idOf = (element: Json | undefined, field: IdField): string =>
  isObject(element) ? String(element.get(field)) : '';

/** `previews[_id=p-4001]`: where it stands may differ, so its number says nothing. */
export const elementPath = (path: string, field: IdField, id: string): string => {
  const quoted = extendPath('', id);
  return `${path}[${field}=${quoted.startsWith('[') ? quoted.slice(1, -1) : id}]`;
};

/** Whether elements that both have come in the same order in both. */
export function isSameOrder(a: Map<string, Json>, b: Map<string, Json>): boolean {
  const inBoth = (one: Map<string, Json>, other: Map<string, Json>) =>
    [...one.keys()].filter((id) => other.has(id));
  const [first, second] = [inBoth(a, b), inBoth(b, a)];
  return first.every((id, index) => id === second[index]);
}

/** What two arrays have in common at their begin and at their end. */
export function commonEnds(
  a: readonly Json[],
  b: readonly Json[],
  isSame: (x: Json | undefined, y: Json | undefined) => boolean,
): { begin: number; end: number } {
  const most = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < most && isSame(a[begin], b[begin])) begin += 1;
  let end = 0;
  while (end < most - begin && isSame(a.at(-1 - end), b.at(-1 - end))) end += 1;
  return { begin, end };
}

/** The changes that make one record of another, as RFC 6902 writes them. */
export function jsonPatch(before: Json, after: Json): Json[] {
  const patch: Json[] = [];
  compare(before, after, '', patch);
  return patch;
}

const operation = (op: string, path: string, more: Record<string, Json> = {}): Json =>
  new Map<string, Json>([['op', op], ['path', path], ...Object.entries(more)]);

/** A key or a place as a part of a JSON Pointer (RFC 6901). */
const below = (pointer: string, step: string | number) =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

function compare(before: Json, after: Json, pointer: string, patch: Json[]): void {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) compareFields(before, after, pointer, patch);
  else if (Array.isArray(before) && Array.isArray(after)) {
    const field = idFieldOf(before, after);
    if (field) compareById(before, after, field, pointer, patch);
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

/** Finding the place of each element that moves takes time with the square of their number. */
const maxMoved = 2000;

/** Elements go, then each comes to its place: operations are carried out one after the other. */
function compareById(
  before: Json[],
  after: Json[],
  field: IdField,
  pointer: string,
  patch: Json[],
): void {
  const [old, wanted] = [byId(before, field), byId(after, field)];
  const isMoved = !isSameOrder(old, wanted);
  if (isMoved && after.length > maxMoved) {
    patch.push(operation('replace', pointer, { value: after }));
    return;
  }
  const current = before.filter((element) => wanted.has(idOf(element, field)));
  for (let index = before.length - 1; index >= 0; index -= 1) {
    if (!wanted.has(idOf(before[index], field))) {
      patch.push(operation('remove', below(pointer, index)));
    }
  }
  if (isMoved) moveById(current, after, field, pointer, patch);
  else addById(current, after, field, pointer, patch);
}

/** Where all that stays is in order, what is new is added between. */
function addById(
  current: readonly Json[],
  after: readonly Json[],
  field: IdField,
  pointer: string,
  patch: Json[],
): void {
  let next = 0;
  for (const [index, value] of after.entries()) {
    const path = below(pointer, index);
    if (next < current.length && idOf(current[next], field) === idOf(value, field)) {
      compare(current[next] as Json, value, path, patch);
      next += 1;
    } else patch.push(operation('add', path, { value }));
  }
}

function moveById(
  current: Json[],
  after: readonly Json[],
  field: IdField,
  pointer: string,
  patch: Json[],
): void {
  for (const [index, value] of after.entries()) {
    const path = below(pointer, index);
    const id = idOf(value, field);
    const from = current.findIndex((element) => idOf(element, field) === id);
    if (from < 0) {
      patch.push(operation('add', path, { value }));
      current.splice(index, 0, value);
      continue;
    }
    if (from !== index) {
      patch.push(operation('move', path, { from: below(pointer, from) }));
      current.splice(index, 0, ...current.splice(from, 1));
    }
    compare(current[index] as Json, value, path, patch);
  }
}

function compareByPlace(before: Json[], after: Json[], pointer: string, patch: Json[]): void {
  const { begin, end } = commonEnds(before, after, isSame);
  const old = before.slice(begin, before.length - end);
  const now = after.slice(begin, after.length - end);
  const common = Math.min(old.length, now.length);
  for (let index = 0; index < common; index += 1) {
    compare(old[index] as Json, now[index] as Json, below(pointer, begin + index), patch);
  }
  for (let index = old.length - 1; index >= common; index -= 1) {
    patch.push(operation('remove', below(pointer, begin + index)));
  }
  for (const [index, value] of now.slice(common).entries()) {
    patch.push(operation('add', below(pointer, begin + common + index), { value }));
  }
}
