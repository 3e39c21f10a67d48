import { endpoints } from '../api/endpoints.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Kind } from './schema.ts';

/** Not the sandbox's own address: its port may be another one at the next start. */
const linkHost = 'media.example';

type LinkTarget = Kind | 'AssetType' | 'Group';

/** Where each kind's records live, as its endpoints' paths begin. */
const collections: ReadonlyMap<string, string> = new Map([
  ['AssetType', 'assettypes'],
  ['Group', 'groups'],
  ['Project', 'projects'],
  ['Studio', 'studios'],
  ...Object.values(endpoints).map(({ resource, path }): [string, string] => [
    resource,
    path.split('/')[1] ?? '',
  ]),
]);

/** `//media.example/api/assets/a-1001`. A reference that was sent may hold half a character. */
export const link = (target: LinkTarget, id: string): string =>
  `//${linkHost}/api/${collections.get(target)}/${encodeURIComponent(id.toWellFormed())}`;

/** The fields of each kind that refer to another record. */
const references: Partial<Record<Kind, Readonly<Record<string, Kind>>>> = {
  WorkRequest: {
    project: 'Project',
    asset: 'Asset',
    from: 'User',
    graphicsTranslation: 'Translation',
    translation: 'Translation',
  },
  Asset: { thumbnail: 'File', project: 'Project', studio: 'Studio' },
  Preview: { asset: 'Asset', project: 'Project', studio: 'Studio' },
  File: { project: 'Project', asset: 'Asset' },
  Translation: { asset: 'Asset', workRequest: 'WorkRequest' },
};

/** `$links` of a record: itself, and what it refers to. */
export function linksOf(kind: Kind, id: string, record: JsonObject): JsonObject {
  const links: JsonObject = new Map([['self', link(kind, id)]]);
  for (const [field, target] of Object.entries(references[kind] ?? {})) {
    const targetId = idOf(record.get(field));
    if (targetId !== undefined) links.set(field, link(target, targetId));
  }
  return links;
}

/** A reference is an id, or an embedded record. */
export function idOf(reference: Json | undefined): string | undefined {
  const id = isObject(reference) ? reference.get('_id') : reference;
  return typeof id === 'string' ? id : undefined;
}
