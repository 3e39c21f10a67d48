import { extendPath } from '../json/path.ts';
import { isObject, isSame, type Json } from '../json/value.ts';

export interface Difference {
  /** `usage.online`, `previews[_id=p-4001].label`, `tags[2]`. */
  path: string;
  /** Absent where the field is added. */
  before?: Json;
  /** Absent where the field is removed. */
  after?: Json;
  /** The order of the elements changed: `before` and `after` are their ids. */
  isOrder?: true;
}

/** Compares field by field, in the order of the record. Elements of an array are matched by id. */
export const differences = (before: Json, after: Json): Difference[] => [
  ...walk(before, after, { path: '' }),
];

type Differences = Generator<Difference, void>;
type FieldPath = Pick<Difference, 'path'>;

function* walk(before: Json | undefined, after: Json | undefined, place: FieldPath): Differences {
  if (isSame(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      yield* walk(before.get(key), after.get(key), { path: extendPath(place.path, key) });
    }
  } else if (Array.isArray(before) && Array.isArray(after)) yield* walkArray(before, after, place);
  else yield { ...place, before, after };
}

function* walkArray(before: Json[], after: Json[], place: FieldPath): Differences {
  const field = idFieldOf(before, after);
  if (field) {
    const [old, now] = [byId(before, field), byId(after, field)];
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const path = elementPath(place.path, field, id);
      yield* walk(old.get(id), now.get(id), { path });
    }
    if (!isSameOrder(old, now)) {
      yield { ...place, before: [...old.keys()], after: [...now.keys()], isOrder: true };
    }
    return;
  }
  const { start, end } = commonEnds(before, after);
  const old = before.slice(0, before.length - end);
  const now = after.slice(0, after.length - end);
  for (let index = start; index < Math.max(old.length, now.length); index += 1) {
    yield* walk(old[index], now[index], { path: extendPath(place.path, index) });
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
