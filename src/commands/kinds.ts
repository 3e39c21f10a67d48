import { findResource, type Resource, resources } from '../api/endpoints.ts';
import { usageError } from '../errors.ts';
import { nearest } from '../values/nearest.ts';

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
