import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import type { CardTools } from '../../terminal/view.ts';

/*
 * Records are read by path and never by cast: a record that does not fit its documented shape is
 * still shown, with what can be read of it.
 */

/** The elements of an array in a record; none when it is not an array. */
export function items(record: unknown, path: string): unknown[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value : [];
}

/** The first of some fields that has something in it. */
function firstOf(record: unknown, ...paths: string[]): unknown {
  return paths
    .map((path) => valueAt(record, path))
    .find((value) => value !== undefined && value !== '');
}

/** The names of the fields below a path that are true: the usages of an asset. */
export function switchedOn(record: unknown, path: string): string {
  const fields = fieldsOf(valueAt(record, path)) ?? [];
  return fields
    .filter(([, on]) => on === true)
    .map(([name]) => name)
    .join(', ');
}

/** A row of a card: its label, and the path of its value or how to make it. */
export type Fact = readonly [
  label: string,
  value: string | ((record: unknown, show: CardTools) => string),
];

/** The rows of a card. What is empty is left out when it is drawn. */
export const rows = (
  record: unknown,
  show: CardTools,
  facts: readonly Fact[],
): [label: string, value: string][] =>
  facts.map(([label, value]) => [
    label,
    typeof value === 'string' ? show.cell(valueAt(record, value)) : value(record, show),
  ]);

/** A point in time, with the zone that stands beside it where there is one. */
export const when =
  (path: string, zone?: string) =>
  (record: unknown, show: CardTools): string =>
    show.time(valueAt(record, path), zone && valueAt(record, zone));

/** The name of an embedded record, or the id when it is only referred to. */
export function nameOf(record: unknown, path: string): unknown {
  return firstOf(record, `${path}.name`, `${path}._id`, path);
}
