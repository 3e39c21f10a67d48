import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { kindField } from '../store/exportRecords.ts';
import type { Kind } from '../store/recordStore.ts';

/** The fields that tell a kind from the others, from the most special kind to the least. */
const fieldsByKind: readonly (readonly [Kind, readonly string[]])[] = [
  ['Notification', ['event', 'emailSubject']],
  ['Event', ['processed', 'digested']],
  ['User', ['emailNormal', 'roles']],
  ['User', ['emailNormal', 'status']],
  ['Download', ['asset', 'project', 'file']],
  ['WorkRequest', ['language', 'history']],
  ['WorkRequest', ['language', 'due']],
  ['Translation', ['workRequest', 'language']],
  ['Offline', ['workRequest', 'path']],
  ['Asset', ['mediaType', 'usage']],
  ['Preview', ['revision', 'asset']],
  ['File', ['name', 'path']],
];

export const kinds: readonly Kind[] = [
  ...new Set(fieldsByKind.map(([kind]) => kind)),
  'Project',
  'Studio',
];

/** The kind that the record names; or the one of its own link; or the one that its fields suggest. */
export function kindOf(record: JsonObject): Kind | undefined {
  const given = record.get(kindField);
  if (given !== undefined) return kinds.find((kind) => kind === given);
  return (
    kindOfLink(record) ??
    fieldsByKind.find(([, fields]) => fields.every((name) => record.has(name)))?.[0]
  );
}

function kindOfLink(record: JsonObject): Kind | undefined {
  const links = record.get('$links');
  const self = isObject(links) ? links.get('self') : undefined;
  const [, collection] =
    /\/\/[^/]+\/api\/([^/]+)\//.exec(typeof self === 'string' ? self : '') ?? [];
  return kinds.find((kind) => collectionsOf(kind).includes(collection?.toLowerCase() ?? ''));
}

/** The names of a kind in paths: `session` and `users`. */
function collectionsOf(kind: Kind): string[] {
  const { path } =
    Object.values<Endpoint>(endpoints).find(({ resource }) => resource === kind) ?? {};
  return [path?.split('/')[1] ?? '', `${kind.toLowerCase()}s`].filter(Boolean);
}
