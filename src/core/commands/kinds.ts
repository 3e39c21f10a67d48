import { findResource, type Resource, type ResourceEntry, resources } from '../api/endpoints.ts';
import { type MarError, usageError } from '../errors.ts';
import type { Column } from '../output/viewType.ts';
import { recentIds } from '../session/remember.ts';
import type { Session } from '../session/session.ts';
import { nearest } from '../values/nearest.ts';

/** Records that have no name of their own in the API's lists, or cannot be used by id. */
const excluded: readonly Resource[] = ['Download', 'Session'];

/** Kinds of records that people use by id, by the names of their commands. */
const recordKinds = resources.filter(({ resource }) => !excluded.includes(resource));

/** `wr` for `WorkRequest`. Undefined for entries that are no records. */
const kindOf = (resource: string): string | undefined =>
  recordKinds.find((one) => one.resource === resource)?.name;

export function unknownResource(word: string, known: readonly ResourceEntry[]): MarError {
  const names = known.flatMap(({ name, resource }) => [name, resource.toLowerCase()]);
  const meant = nearest(word.toLowerCase(), [...names, ...names.map((name) => `${name}s`)]);
  const all = `Known resources: ${known.map(({ name }) => name).join(', ')}`;
  const hint = meant === undefined ? all : `Did you mean ${findResource(meant)?.name}?`;
  return usageError(`unknown resource "${word}"`, hint, { value: word });
}

export const kindColumns: readonly Column[] = [
  { title: 'Kind', path: 'kind', importance: 3 },
  { title: 'Id', path: 'id', kind: 'id' },
  { title: 'Name', path: 'name', importance: 4 },
];

/** The records that were used, by the names of their kinds. */
export const usedRecords = (session: Session, resource?: Resource) =>
  recentIds(session, resource).flatMap(({ id, text: name, at, ...entry }) => {
    const kind = kindOf(entry.kind);
    return kind === undefined ? [] : [{ kind, id, name, lastUsed: new Date(at).toISOString() }];
  });
