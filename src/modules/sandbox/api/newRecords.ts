import { randomUUID } from 'node:crypto';
import { endpointsOf, resourceNoun } from '../../../core/api/endpoints.ts';
import { fromPlain, isObject, type Json, type JsonObject } from '../../../core/json/value.ts';
import { badRequest, linkHost } from '../http/responses.ts';
import type { Behaviour } from '../store/behaviour.ts';
import type { Kind, RecordStore } from '../store/recordStore.ts';

export const newId = (): string => randomUUID().replaceAll('-', '').slice(0, 24);

/** Pages of the client application that the demo data refers to. */
const applicationUrls = {
  view: 'https://desk.media.example/work-requests/:workRequest',
  manage: 'https://desk.media.example/work-requests/:workRequest/manage',
  invite: 'https://desk.media.example/work-requests/:workRequest/invite/:code',
  translate: 'https://desk.media.example/work-requests/:workRequest/translate/:code',
};

type Records = Pick<RecordStore, 'readRecord' | 'behaviour'>;

/** Fills in what the service adds to a new record. */
export function completeRecord(kind: Kind, record: JsonObject, userId: string, store: RecordStore) {
  if (kind === 'WorkRequest') completeWorkRequest(record, userId, store);
  if (kind === 'Translation') completeTranslation(record, store);
  if (kind === 'Event') completeEvent(record, userId, store);
  setMissing(record, 'created', fromPlain(store.behaviour.now()));
  // Events are documented without links.
  if (kind === 'Event') return;
  setMissing(record, '$links', linksOf(kind, referencedId(record) ?? '', record));
}

/** Fills in a new work request: embeds the records that it names by id, and starts its history. */
export function completeWorkRequest(record: JsonObject, userId: string, store: Records): void {
  expand(record, 'project', 'Project', store);
  expand(record, 'asset', 'Asset', store);
  expand(record, 'translation', 'Translation', store);
  expand(record, 'graphicsTranslation', 'Translation', store);
  const sender = store.readRecord('User', userId);
  if (sender !== undefined) record.set('from', summarizeUser(sender));
  setMissing(record, 'studio', studioOf(record.get('project')) ?? studioOf(record.get('asset')));
  setMissing(record, 'status', store.behaviour.firstStatus);
  const history = record.get('history');
  if (!Array.isArray(history) || history.length === 0) {
    record.set('history', [historyEntry(record, store.behaviour, sender)]);
  }
  setMissing(record, 'translation', emptyTranslation(record, store.behaviour));
  setMissing(record, 'graphicsTranslation', emptyTranslation(record, store.behaviour));
  setMissing(record, 'urls', fromPlain(applicationUrls));
}

/** The entry for the current status of a work request, set by this user just now. */
export const historyEntry = (record: JsonObject, behaviour: Behaviour, user?: JsonObject) =>
  new Map<string, Json>([
    ['date', fromPlain(behaviour.now())],
    ['user', user === undefined ? null : summarizeUser(user, { hasLinks: false })],
    ['status', record.get('status') ?? behaviour.firstStatus],
    ['reason', record.get('reason') ?? ''],
  ]);

/** Replaces an id, or an object that holds only an id, by the record it names. */
function expand(record: JsonObject, field: string, kind: Kind, store: Records): void {
  const reference = record.get(field);
  const isBare = typeof reference === 'string' || (isObject(reference) && reference.size === 1);
  const id = referencedId(reference);
  if (!isBare || id === undefined) return;
  const target = store.readRecord(kind, id);
  if (target === undefined)
    throw badRequest(`${field}: ${resourceNoun(kind)} ${id} not found`, field);
  record.set(field, kind === 'Asset' ? embedAsset(target, store) : new Map(target));
}

function emptyTranslation(record: JsonObject, { now, translation }: Behaviour): Json | undefined {
  const language = record.get('language');
  if (language === undefined) return undefined;
  const id = newId();
  return fromPlain({
    _id: id,
    asset: referencedId(record.get('asset')),
    workRequest: referencedId(record.get('_id')),
    language,
    status: translation.firstStatus,
    lines: [],
    printLines: [],
    approval: false,
    created: now(),
    $links: { self: link('Translation', id) },
  });
}

const studioOf = (embedded: Json | undefined): Json | undefined =>
  isObject(embedded) ? embedded.get('studio') : undefined;

function setMissing(record: JsonObject, field: string, value: Json | undefined): void {
  if (!record.has(field) && value !== undefined) record.set(field, value);
}

/**
 * Fills in a submitted translation, and copies its status to the translation inside the work
 * request, because that is the one that clients read.
 */
function completeTranslation(record: JsonObject, store: RecordStore): void {
  const { submitted } = store.behaviour.translation;
  setMissing(record, 'status', submitted);
  const id = record.get('workRequest');
  if (typeof id !== 'string') return;
  const workRequest = store.readRecord('WorkRequest', id);
  if (workRequest === undefined) {
    throw badRequest(`workRequest: work request ${id} not found`, 'workRequest');
  }
  const embedded = workRequest.get('translation');
  if (!isObject(embedded) || embedded.get('language') !== record.get('language')) return;
  const updated = new Map(embedded).set('status', record.get('status') ?? submitted);
  store.replace('WorkRequest', id, new Map(workRequest).set('translation', updated));
}

/** Fills in a new event: it comes from the caller, and nobody has processed it. */
function completeEvent(record: JsonObject, userId: string, store: RecordStore): void {
  const sender = store.readRecord('User', userId);
  if (sender !== undefined)
    setMissing(record, 'from', pick(sender, '_id, name, emailNormal, $links'));
  for (const flag of ['processed', 'pushed', 'digested']) setMissing(record, flag, false);
}

const thumbnailFields =
  '_id, verified, embargo, warnings, mime, bucket, tags, chunkSize, length, md5, uploadDate';

const embeddedUses =
  'broadcast, online, dcp, dcp3d, film35, film70, imax, imax3d, atmos2d, atmos3d, dolbyVision2d, dolbyVision3d';

/** The uses have other names in the embedded form. Those that the asset does not have are false. */
function embeddedUsage(usage: JsonObject): JsonObject {
  const uses = embeddedUses.split(', ');
  return new Map(
    uses.map((name) => [name, usage.get(name) ?? usage.get(name.replace(/2d$/, '')) ?? false]),
  );
}

/** An asset in the form that a work request embeds. */
function embedAsset(asset: JsonObject, store: Records): JsonObject {
  const embedded = new Map(asset);
  const usage = asset.get('usage');
  const thumbnailId = referencedId(asset.get('thumbnail'));
  const thumbnail = thumbnailId === undefined ? undefined : store.readRecord('File', thumbnailId);
  if (isObject(usage)) embedded.set('usage', embeddedUsage(usage));
  if (thumbnail === undefined) embedded.delete('thumbnail');
  else embedded.set('thumbnail', linked('File', pick(thumbnail, thumbnailFields)));
  return embedded;
}

/** A user in the form that a work request embeds. In its history, groups have no links. */
export function summarizeUser(user: JsonObject, { hasLinks = true } = {}): JsonObject {
  const groups = user.get('groups');
  const summarizeGroup = (group: Json) => {
    if (!isObject(group)) return group;
    const summary = pick(group, '_id, name');
    return hasLinks ? linked('Group', summary) : summary;
  };
  const summary = pick(user, '_id, name, emailNormal');
  return summary.set('groups', Array.isArray(groups) ? groups.map(summarizeGroup) : []);
}

const linked = (target: 'File' | 'Group', record: JsonObject): JsonObject =>
  record.set('$links', new Map([['self', link(target, referencedId(record) ?? '')]]));

export function pick(record: JsonObject, names: string): JsonObject {
  const picked: JsonObject = new Map();
  for (const key of names.split(', ')) setMissing(picked, key, record.get(key));
  return picked;
}

export function link(target: Kind | 'AssetType' | 'Group', id: string): string {
  const [endpoint] = endpointsOf(target);
  // Projects, studios, groups and asset types have links but no endpoints.
  const collection = endpoint?.path.split('/')[1] ?? `${target.toLowerCase()}s`;
  // A reference in a request may hold half of a surrogate pair, which cannot be encoded.
  return `//${linkHost}/api/${collection}/${encodeURIComponent(id.toWellFormed())}`;
}

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

export function linksOf(kind: Kind, id: string, record: JsonObject): JsonObject {
  const links: JsonObject = new Map([['self', link(kind, id)]]);
  for (const [field, target] of Object.entries(references[kind] ?? {})) {
    const targetId = referencedId(record.get(field));
    if (targetId !== undefined) links.set(field, link(target, targetId));
  }
  return links;
}

/** A reference is an id or an embedded record. */
function referencedId(reference: Json | undefined): string | undefined {
  const id = isObject(reference) ? reference.get('_id') : reference;
  return typeof id === 'string' ? id : undefined;
}
