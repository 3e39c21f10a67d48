import type { SchemaName } from '../../api/endpoints.ts';
import { fieldsOf, valueAt } from '../../json/fields.ts';
import { parsePath } from '../../json/path.ts';
import type { CardText } from '../../terminal/card.ts';
import { formatDate } from '../../terminal/time.ts';
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
  return paths.map((path) => valueAt(record, path)).find(isSaid);
}

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== '';

/** The names of the fields below a path that are true: the usages of an asset. */
export function switchedOn(record: unknown, path: string): string {
  const value = valueAt(record, path);
  // Not the documented shape: a list of names says as much.
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string').join(', ');
  const fields = fieldsOf(value) ?? [];
  return fields
    .filter(([, on]) => on === true)
    .map(([name]) => name)
    .join(', ');
}

/** A row of a card: its label, and the path of its value or how to make it. */
export type Fact = readonly [
  label: string,
  value: string | ((record: unknown, show: CardTools) => CardText),
];

export type Row = readonly [label: string, value: CardText];

/** The rows of a card. What is empty is left out when it is drawn. */
export const rows = (record: unknown, show: CardTools, facts: readonly Fact[]): Row[] =>
  facts.map(([label, value]) => [
    label,
    typeof value === 'string' ? show.cell(valueAt(record, value)) : value(record, show),
  ]);

/** A point in time, with the zone that stands beside it where there is one. */
export const when =
  (path: string, zone?: string) =>
  (record: unknown, show: CardTools): string =>
    show.time(valueAt(record, path), zone && valueAt(record, zone));

/** A date alone, for the tables of a card, which are narrow. */
export function dateOf(record: unknown, path: string, show: CardTools): string {
  const value = valueAt(record, path);
  const date = show.date(value);
  return date ? formatDate(date) : show.cell(value);
}

/** The name of an embedded record, or the id when it is only referred to. */
export function nameOf(record: unknown, path: string): unknown {
  return firstOf(record, `${path}.name`, `${path}._id`, path);
}

/** The name of an embedded record with the id to go on with; what there is of them. */
export const named =
  (path: string) =>
  (record: unknown, show: CardTools): string => {
    const name = show.cell(nameOf(record, path));
    const id = show.cell(valueAt(record, `${path}._id`));
    return id === '' || id === name ? name : `${name} (${id})`;
  };

/** What a record is called at the head of its card, and its id below where that is not the same. */
export function head(record: unknown, show: CardTools, kind: string, ...paths: string[]) {
  const id = show.cell(valueAt(record, '_id'));
  const name = show.cell(firstOf(record, ...paths));
  if (name.trim() === '') return { title: `${kind} ${id}`.trim() };
  return { title: name, subtitle: id === name ? '' : id };
}

/**
 * What stands where an object is expected and is something else: shown as it is, under a label,
 * since leaving it out would say that there is nothing.
 */
export function stray(record: unknown, path: string, label: string, show: CardTools): Row[] {
  const value = valueAt(record, path);
  const isAsExpected = fieldsOf(value) !== undefined;
  return isAsExpected ? [] : [[label, show.cell(value)]];
}

/** The same where a list is expected. */
export function strayList(record: unknown, path: string, label: string, show: CardTools): Row[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? [] : [[label, show.cell(value)]];
}

/** Of some yes-or-no fields, those that say so: the others are not known. */
export const those =
  (wanted: boolean, ...names: string[]) =>
  (record: unknown): string =>
    names.filter((name) => valueAt(record, name) === wanted).join(', ');

const longestText = 3000;
const mostLines = 60;

/** The beginning of a text that may be of any length, and how much is left out. */
export function excerpt(text: string): string[] {
  // Not through the middle of a character.
  const start = text.slice(0, longestText).replace(/[\ud800-\udbff]$/, '');
  const shown = start.split('\n').slice(0, mostLines).join('\n');
  const left = text.length - shown.length;
  if (left <= 0) return [shown];
  return [shown, '', `… ${left} more characters; --json has all of them`];
}

/**
 * Returns a function that loads a schema and a test for its fields that hold a time. Only `--columns`
 * with a field that no view lists needs it.
 */
export const timeFields = (name: SchemaName) => async (): Promise<(path: string) => boolean> => {
  const [{ schemas, isTime }, { fieldAt }] = await Promise.all([
    import('../../api/schemas.ts'),
    import('../../api/schemaWalk.ts'),
  ]);
  const schema = schemas[name]();
  return (path) => fieldAt(schema, parsePath(path)).some(isTime);
};
