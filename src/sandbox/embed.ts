import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { idOf, link } from './links.ts';
import type { Stored } from './store.ts';

/** What an embedded asset shows of its thumbnail's file. */
const thumbnailFields = [
  '_id',
  'verified',
  'embargo',
  'warnings',
  'mime',
  'bucket',
  'tags',
  'chunkSize',
  'length',
  'md5',
  'uploadDate',
];

/** An asset as a work request carries it. */
export function embedAsset(asset: Stored, thumbnail: Stored | undefined): JsonObject {
  const embedded = new Map(asset);
  if (thumbnail === undefined) embedded.delete('thumbnail');
  else embedded.set('thumbnail', embedThumbnail(thumbnail));
  return embedded;
}

function embedThumbnail(file: Stored): JsonObject {
  const links: JsonObject = new Map([['self', link('File', idOf(file.get('_id')) ?? '')]]);
  return pick(file, thumbnailFields).set('$links', links);
}

/** The person behind a record, as a work request and its history show them. */
export function summarizeUser(user: Stored): JsonObject {
  const groups = user.get('groups');
  const summary = pick(user, ['_id', 'name', 'emailNormal']);
  return summary.set('groups', Array.isArray(groups) ? groups.map(summarizeGroup) : []);
}

function summarizeGroup(group: Json): Json {
  if (!isObject(group)) return group;
  const links: JsonObject = new Map([['self', link('Group', idOf(group) ?? '')]]);
  return pick(group, ['_id', 'name']).set('$links', links);
}

/** The named fields, where they are there. */
function pick(object: Stored, keys: readonly string[]): JsonObject {
  const picked: JsonObject = new Map();
  for (const key of keys) {
    const value = object.get(key);
    if (value !== undefined) picked.set(key, value);
  }
  return picked;
}
