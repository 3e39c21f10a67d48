import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, elementPath, type IdField, idFieldOf, isSameOrder } from './elements.ts';

/** A field that was changed on both sides, each in its own way. */
export interface Conflict {
  path: string;
  /** What both began with, where that is known; absent as well where there was nothing. */
  base?: Json;
  /** Absent where it is removed. */
  mine?: Json;
  theirs?: Json;
}

export interface Merged {
  /** Theirs, with my changes. */
  record: JsonObject;
  conflicts: Conflict[];
}

/**
 * Makes the changes that lead from a base to mine on top of theirs. A field that both changed is
 * told, and stays as it is there; `mineWins` makes it mine.
 */
export function merge(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  { mineWins = false } = {},
): Merged {
  const conflicts: Conflict[] = [];
  const merging: Merging = { conflicts, mineWins };
  // Nothing changed elsewhere: mine as it is, its keys in my order.
  if (isSame(base, theirs)) return { record: mine, conflicts };
  return { record: mergeFields({ base, mine, theirs }, '', merging), conflicts };
}

/** What was found so far, and what to do about it. */
interface Merging {
  conflicts: Conflict[];
  mineWins: boolean;
}

/** The three states of one value; absent where it is not there. */
interface Three<Value> {
  base: Value | undefined;
  mine: Value | undefined;
  theirs: Value | undefined;
}

function mergeValue(three: Three<Json>, path: string, merging: Merging): Json | undefined {
  const { base, mine, theirs } = three;
  if (isSame(mine, theirs) || isSame(base, mine)) return theirs;
  if (isSame(base, theirs)) return mine;
  if (isObject(mine) && isObject(theirs) && (base === undefined || isObject(base))) {
    return mergeFields({ base: base ?? new Map(), mine, theirs }, path, merging);
  }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    const merged = mergeArrays(base, mine, theirs, path, merging);
    if (merged) return merged;
  }
  merging.conflicts.push({ path, base, mine, theirs });
  return merging.mineWins ? mine : theirs;
}

function mergeFields(
  { base, mine, theirs }: Record<keyof Three<Json>, JsonObject>,
  path: string,
  merging: Merging,
): JsonObject {
  const merged: JsonObject = new Map();
  for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
    const three = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
    const value = mergeValue(three, extendPath(path, key), merging);
    if (value !== undefined) merged.set(key, value);
  }
  return merged;
}

/** Element by element where they have ids; what is only added at the end is added to theirs. */
function mergeArrays(
  base: Json[],
  mine: Json[],
  theirs: Json[],
  path: string,
  merging: Merging,
): Json[] | undefined {
  const field = idFieldOf(base, mine, theirs);
  if (field) return mergeById({ base, mine, theirs }, field, path, merging);
  const isAppended =
    mine.length > base.length && base.every((element, index) => isSame(element, mine[index]));
  return isAppended ? [...theirs, ...mine.slice(base.length)] : undefined;
}

function mergeById(
  arrays: Record<keyof Three<Json>, Json[]>,
  field: IdField,
  path: string,
  merging: Merging,
): Json[] | undefined {
  const base = byId(arrays.base, field);
  const mine = byId(arrays.mine, field);
  const theirs = byId(arrays.theirs, field);
  // Where I put elements in another order, theirs cannot be kept as well.
  if (!isSameOrder(base, mine)) return undefined;
  const merged: Json[] = [];
  for (const id of new Set([...theirs.keys(), ...mine.keys()])) {
    const three = { base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) };
    const element = mergeValue(three, elementPath(path, field, id), merging);
    if (element !== undefined) merged.push(element);
  }
  return merged;
}
