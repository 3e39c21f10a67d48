import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, commonEnds, type IdField, idFieldOf, idOf, isSameOrder } from './difference.ts';

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
