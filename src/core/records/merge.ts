import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { byId, elementPath, type IdField, idFieldOf, isSameOrder } from './recordDiff.ts';

/** A field that both sides changed, to different values. A removed field has no value. */
export interface Conflict {
  path: string;
  mine?: Json;
  theirs?: Json;
}

type Three<Value> = Record<'base' | 'mine' | 'theirs', Value>;

/** Applies the changes from base to mine to theirs. On a conflict theirs stays, unless `mineWins`. */
export function merge(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  { mineWins = false } = {},
): { record: JsonObject; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  // Nothing changed elsewhere: keep the order of my keys.
  if (isSame(base, theirs)) return { record: mine, conflicts };

  function mergeValue({ base, mine, theirs }: Three<Json | undefined>, path: string) {
    if (isSame(mine, theirs) || isSame(base, mine)) return theirs;
    if (isSame(base, theirs)) return mine;
    if (isObject(mine) && isObject(theirs) && (base === undefined || isObject(base))) {
      const objects = { base: base ?? new Map(), mine, theirs };
      return mergeEntries(objects, (key) => extendPath(path, key));
    }
    const isArrays = Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs);
    const merged = isArrays ? mergeArrays({ base, mine, theirs }, path) : undefined;
    if (merged) return merged;
    conflicts.push({ path, mine, theirs });
    return mineWins ? mine : theirs;
  }

  function mergeEntries(three: Three<JsonObject>, pathOf: (key: string) => string): JsonObject {
    const { base, mine, theirs } = three;
    const merged: JsonObject = new Map();
    for (const key of new Set([...theirs.keys(), ...mine.keys()])) {
      const values = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
      const value = mergeValue(values, pathOf(key));
      if (value !== undefined) merged.set(key, value);
    }
    return merged;
  }

  /** Merges arrays by id. Without ids, elements that were only appended are appended to theirs. */
  function mergeArrays({ base, mine, theirs }: Three<Json[]>, path: string): Json[] | undefined {
    const field = idFieldOf(base, mine, theirs);
    if (field) {
      const three = {
        base: byId(base, field),
        mine: byId(mine, field),
        theirs: byId(theirs, field),
      };
      // A changed order cannot be combined with changes of theirs.
      if (!isSameOrder(three.base, three.mine)) return undefined;
      return [...mergeEntries(three, (id) => elementPath(path, field, id)).values()];
    }
    const isAppended =
      mine.length > base.length && base.every((element, index) => isSame(element, mine[index]));
    return isAppended ? [...theirs, ...mine.slice(base.length)] : undefined;
  }

  const record = mergeEntries({ base, mine, theirs }, (key) => extendPath('', key));
  return { record, conflicts };
}

/** Each element takes time to fingerprint: a longer array counts as one value. */
const maxElements = 200;

type LeafStep = string | readonly [IdField, string];

/** A value of a record that is compared as a whole. */
export interface Leaf {
  steps: readonly LeafStep[];
  path: string;
  value: Json;
  /** The value is the order of these elements; each element has leaves of its own. */
  orderBy?: IdField;
}

/** All leaves by a unique name. An array without ids is one leaf, because its indexes shift. */
export function leavesOf(record: JsonObject): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (value: Json, steps: readonly LeafStep[], path: string) => {
    if (isObject(value) && (value.size > 0 || steps.length === 0)) {
      for (const [key, field] of value) visit(field, [...steps, key], extendPath(path, key));
      return;
    }
    const field = namedBy(value);
    if (!field) {
      leaves.set(JSON.stringify(steps), { steps, path, value });
      return;
    }
    const elements = byId(value as Json[], field);
    const order = { steps, path, value: [...elements.keys()], orderBy: field };
    leaves.set(JSON.stringify([...steps, [field]]), order);
    for (const [id, element] of elements) {
      visit(element, [...steps, [field, id]], elementPath(path, field, id));
    }
  };
  visit(record, [], '');
  return leaves;
}

const namedBy = (value: Json | undefined): IdField | undefined =>
  Array.isArray(value) && value.length <= maxElements ? idFieldOf(value) : undefined;

export const hasLeaves = (value: Json | undefined): boolean =>
  isObject(value) || namedBy(value) !== undefined;

export const valueAtSteps = (record: Json, steps: readonly LeafStep[]): Json | undefined =>
  steps.reduce<Json | undefined>(below, record);

function below(value: Json | undefined, step: LeafStep): Json | undefined {
  if (typeof step === 'string') return isObject(value) ? value.get(step) : undefined;
  const [field, id] = step;
  if (!Array.isArray(value)) return undefined;
  return value.find((element) => isObject(element) && element.get(field) === id);
}

/** The values of two records at a path, or at the first step where their kinds differ. */
export function bothAt(steps: readonly LeafStep[], mine: Json, theirs: Json) {
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
