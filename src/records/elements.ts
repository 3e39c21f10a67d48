import { extendPath } from '../json/path.ts';
import { isObject, type Json } from '../json/value.ts';

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
