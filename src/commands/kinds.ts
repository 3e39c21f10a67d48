import { findResource, type Resource, resources } from '../api/endpoints.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import type { Column } from '../terminal/view.ts';
import { nearest } from '../values/nearest.ts';
import { recentIds } from './read/remember.ts';

/** Records that have no name of their own in the API's lists, or cannot be used by id. */
const excluded: readonly Resource[] = ['Download', 'Session'];

/** Kinds of records that people use by id, by the names of their commands. */
export const recordKinds = resources.filter(({ resource }) => !excluded.includes(resource));

/** `wr` for `WorkRequest`. Undefined for entries that are no records. */
export const kindOf = (resource: string): string | undefined =>
  recordKinds.find((one) => one.resource === resource)?.name;

/** Finds by name, plural or alias: `wr`, `work-requests`. */
export function parseKind(word: string): Resource {
  const found = findResource(word)?.resource;
  if (found && kindOf(found) !== undefined) return found;
  const names = recordKinds.map(({ name }) => name);
  const meant = nearest(word.toLowerCase(), names);
  throw usageError(
    `unknown kind of record "${word}"`,
    meant ? `Did you mean ${meant}?` : `Known kinds: ${names.join(', ')}`,
  );
}

/** The columns of records of several kinds. */
export const kindColumns: readonly Column[] = [
  { title: 'Kind', path: 'kind', importance: 3 },
  { title: 'Id', path: 'id', kind: 'id' },
  { title: 'Name', path: 'name', importance: 4 },
];

/** The records that were used, by the names of their kinds. */
export const usedRecords = (context: Context, resource?: Resource) =>
  recentIds(context, resource).flatMap(({ id, text: name, at, ...entry }) => {
    const kind = kindOf(entry.kind);
    return kind === undefined ? [] : [{ kind, id, name, lastUsed: new Date(at).toISOString() }];
  });
