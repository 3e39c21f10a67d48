import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, elementPath, type IdField, idFieldOf, isSameOrder } from './recordDiff.ts';

/** A field that both sides changed, to different values. */
export interface Conflict {
  path: string;
  /** Absent if the field was added, or if the base is unknown. */
  base?: Json;
  /** Absent if it was removed. */
  mine?: Json;
  theirs?: Json;
}

export interface Merged {
  /** Theirs, with my changes. */
  record: JsonObject;
  conflicts: Conflict[];
}

/** Applies the changes from base to mine to theirs. On a conflict theirs stays, unless `mineWins`. */
export function merge(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  { mineWins = false } = {},
): Merged {
  const conflicts: Conflict[] = [];
  const merging: Merging = { conflicts, mineWins };
  // Nothing changed elsewhere: keep the order of my keys.
  if (isSame(base, theirs)) return { record: mine, conflicts };
  return { record: mergeFields({ base, mine, theirs }, '', merging), conflicts };
}

interface Merging {
  conflicts: Conflict[];
  mineWins: boolean;
}

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

/** Merges arrays by id. Without ids, elements that were only appended are appended to theirs. */
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
  // A changed order cannot be combined with changes of theirs.
  if (!isSameOrder(base, mine)) return undefined;
  const merged: Json[] = [];
  for (const id of new Set([...theirs.keys(), ...mine.keys()])) {
    const three = { base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) };
    const element = mergeValue(three, elementPath(path, field, id), merging);
    if (element !== undefined) merged.push(element);
  }
  return merged;
}

/** Each element takes time to fingerprint: a longer array counts as one value. */
const maxElements = 200;

/** A field name, or the id of an element. */
type Step = string | readonly [IdField, string];

/** A value of a record that is compared as a whole. */
export interface Leaf {
  steps: readonly Step[];
  path: string;
  value: Json;
  /** The value is the order of these elements; each element has leaves of its own. */
  orderBy?: IdField;
}

/** All leaves by a unique name. An array without ids is one leaf, because its indexes shift. */
export function leavesOf(record: JsonObject): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (value: Json, steps: readonly Step[], path: string) => {
    if (isObject(value) && (value.size > 0 || steps.length === 0)) {
      for (const [key, field] of value) visit(field, [...steps, key], extendPath(path, key));
      return;
    }
    const field = namedBy(value);
    if (field && Array.isArray(value)) {
      const ids = [...byId(value, field).keys()];
      leaves.set(JSON.stringify([...steps, [field]]), { steps, path, value: ids, orderBy: field });
      for (const [id, element] of byId(value, field)) {
        visit(element, [...steps, [field, id]], elementPath(path, field, id));
      }
      return;
    }
    leaves.set(JSON.stringify(steps), { steps, path, value });
  };
  visit(record, [], '');
  return leaves;
}

const namedBy = (value: Json | undefined): IdField | undefined =>
  Array.isArray(value) && value.length <= maxElements ? idFieldOf(value) : undefined;

export const hasLeaves = (value: Json | undefined): boolean =>
  isObject(value) || namedBy(value) !== undefined;

export const valueAtSteps = (record: Json, steps: readonly Step[]): Json | undefined =>
  steps.reduce<Json | undefined>(below, record);

function below(value: Json | undefined, step: Step): Json | undefined {
  if (typeof step === 'string') return isObject(value) ? value.get(step) : undefined;
  const [field, id] = step;
  if (!Array.isArray(value)) return undefined;
  return value.find((element) => isObject(element) && element.get(field) === id);
}

/** The values of two records at a path, or at the first step where their kinds differ. */
export function bothAt(steps: readonly Step[], mine: Json, theirs: Json) {
  let path = '';
  let [my, their]: [Json?, Json?] = [mine, theirs];
  for (const step of steps) {
    path = typeof step === 'string' ? extendPath(path, step) : elementPath(path, ...step);
    [my, their] = [below(my, step), below(their, step)];
    if (!isSameKind(my, their)) break;
  }
  return { path, mine: my, theirs: their };
}

const isSameKind = (a: Json | undefined, b: Json | undefined) =>
  (isObject(a) && isObject(b)) || (Array.isArray(a) && Array.isArray(b));
