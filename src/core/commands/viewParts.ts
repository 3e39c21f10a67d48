import type { SchemaName } from '../api/endpoints.ts';
import { fieldsOf, pathReader, valueAt } from '../json/fields.ts';
import { parsePath } from '../json/path.ts';
import { abbreviate, type Card, type CardText } from '../output/card.ts';
import type { CardTools, KnownFields } from '../output/viewType.ts';
import { formatDate } from '../values/time.ts';

/*
 * Cells and rows of tables and cards. Records are read by path, never by cast, so that a record with
 * an undocumented form can still be shown.
 */

/** The names of the fields below a path that are true, such as the usages of an asset. */
export function enabledNames(record: unknown, path: string): string {
  const value = valueAt(record, path);
  // Undocumented, but just as clear: a list of names.
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string').join(', ');
  const enabled = (fieldsOf(value) ?? []).filter(([, on]) => on === true);
  return enabled.map(([name]) => name).join(', ');
}

export type Fact = readonly [
  label: string,
  value: string | ((record: unknown, show: CardTools) => CardText),
];

export type FactRow = readonly [label: string, value: CardText];

/** A card is drawn without the empty rows. */
export const rows = (record: unknown, show: CardTools, facts: readonly Fact[]): FactRow[] =>
  facts.map(([label, value]) => [
    label,
    typeof value === 'string' ? show.cell(valueAt(record, value)) : value(record, show),
  ]);

/** A card of facts. Its title is a field, or the kind and the id. */
export const factsCard =
  (kind: string, title: string | undefined, facts: readonly Fact[]) =>
  (record: unknown, show: CardTools): Card => ({
    ...head(record, show, kind, ...(title === undefined ? [] : [title])),
    sections: [{ rows: rows(record, show, facts) }],
  });

export const statusText = (record: unknown, show: CardTools): CardText => ({
  text: show.cell(valueAt(record, 'status')),
  paint: show.paintStatus,
});

export const when =
  (path: string) =>
  (record: unknown, show: CardTools): string =>
    show.time(valueAt(record, path));

export function dateOf(record: unknown, path: string, show: CardTools): string {
  const value = valueAt(record, path);
  const date = show.date(value);
  return date ? formatDate(date) : show.cell(value);
}

/** The name of an embedded record, or the id of a reference. */
export const nameOf = (record: unknown, path: string): unknown => nameReader(path)(record);

/** Like `nameOf`, for many records: parses the paths once. */
export const nameReader = (path: string) => firstReader(`${path}.name`, `${path}._id`, path);

/** Reads the first of the fields that has a value. */
function firstReader(...paths: string[]): (record: unknown) => unknown {
  const readers = paths.map(pathReader);
  return (record) => {
    for (const read of readers) {
      const value = read(record);
      if ((value ?? '') !== '') return value;
    }
    return undefined;
  };
}

/** The name of an embedded record with its id. */
export const named =
  (path: string) =>
  (record: unknown, show: CardTools): string =>
    withId(show.cell(nameOf(record, path)), show.cell(valueAt(record, `${path}._id`)));

/** `Harbor (p-1)`, unless the name is the id, or there is none. */
export const withId = (name: string, id: string): string =>
  id === '' || id === name ? name : `${name} (${id})`;

/** Like `named`, for a user: the service often sends the id alone. */
export const namedUser =
  (path: string) =>
  (record: unknown, show: CardTools): string => {
    const value = valueAt(record, path);
    return typeof value === 'string' ? show.user(value) : named(path)(record, show);
  };

/** The title of a card: the name, and the id below if it differs. */
export function head(record: unknown, show: CardTools, kind: string, ...paths: string[]) {
  const id = show.cell(valueAt(record, '_id'));
  const name = show.cell(firstReader(...paths)(record));
  if (name.trim() === '') return { title: `${kind} ${id}`.trim() };
  return { title: name, subtitle: id === name ? '' : id };
}

export const namesOfFlags =
  (wanted: boolean, ...names: string[]) =>
  (record: unknown): string =>
    names.filter((name) => valueAt(record, name) === wanted).join(', ');

const maxCharacters = 3000;
const maxLines = 60;

export function excerpt(text: string): string {
  const start = text.slice(0, maxCharacters).split('\n').slice(0, maxLines).join('\n');
  return abbreviate(text, start.length);
}

/** Loads the schema late: most output needs only the columns of a view. */
export const knownFields =
  (...names: SchemaName[]) =>
  async (): Promise<KnownFields> => {
    const [{ schemas, isTime }, { fieldAt }, { unknownColumn }] = await Promise.all([
      import('../api/schemas.ts'),
      import('../api/schemaWalk.ts'),
      import('../api/unknownFields.ts'),
    ]);
    const used = names.length > 0 ? names : (Object.keys(schemas) as SchemaName[]);
    const roots = used.map((name) => schemas[name]());
    return {
      isTime: (path) => roots.some((root) => fieldAt(root, parsePath(path)).some(isTime)),
      unknownColumn: (path, titles) => unknownColumn(roots, path, titles),
    };
  };

/** For a record of an unknown kind: the fields of all known kinds. */
export const knownFieldsOfAll = knownFields();
