import { fromPlain, isObject, type Json, type JsonObject } from '../json/value.ts';
import type { Call } from './call.ts';
import { embedAsset, summarizeUser } from './embed.ts';
import { idOf, link } from './links.ts';
import { badRequest } from './refusal.ts';
import type { Kind } from './schema.ts';
import { newId } from './secrets.ts';
import type { Store, Stored } from './store.ts';

/** Pages of the client application that the demo data speaks of. */
export const pages = {
  view: 'https://desk.media.example/work-requests/:workRequest',
  manage: 'https://desk.media.example/work-requests/:workRequest/manage',
  invite: 'https://desk.media.example/work-requests/:workRequest/invite/:code',
  translate: 'https://desk.media.example/work-requests/:workRequest/translate/:code',
};

/** Fills in a new work request: references become embedded records, and its history begins. */
export function completeWorkRequest(record: JsonObject, { caller }: Call, store: Store): void {
  expand(record, 'project', 'Project', store);
  expand(record, 'asset', 'Asset', store);
  expand(record, 'translation', 'Translation', store);
  expand(record, 'graphicsTranslation', 'Translation', store);
  const sender = store.readRecord('User', caller.userId);
  if (sender !== undefined) record.set('from', summarizeUser(sender));
  fill(record, 'studio', () => studioOf(record));
  fill(record, 'status', () => 'incomplete');
  const history = record.get('history');
  if (!Array.isArray(history) || history.length === 0) {
    record.set('history', [firstEntry(record)]);
  }
  fill(record, 'translation', () => emptyTranslation(record));
  fill(record, 'graphicsTranslation', () => emptyTranslation(record));
  fill(record, 'urls', () => fromPlain(pages));
}

/** Replaces a bare reference (an id, or an object with nothing but one) by the record it names. */
function expand(record: JsonObject, field: string, kind: Kind, store: Store): void {
  const reference = record.get(field);
  const bare = typeof reference === 'string' || (isObject(reference) && reference.size === 1);
  const id = idOf(reference);
  if (!bare || id === undefined) return;
  const target = store.readRecord(kind, id);
  if (target === undefined) throw badRequest(`${field}: there is no ${kind} ${id}`, field);
  record.set(field, kind === 'Asset' ? embed(target, store) : new Map(target));
}

function embed(asset: Stored, store: Store): JsonObject {
  const thumbnail = idOf(asset.get('thumbnail'));
  return embedAsset(
    asset,
    thumbnail === undefined ? undefined : store.readRecord('File', thumbnail),
  );
}

function firstEntry(record: JsonObject): JsonObject {
  return new Map<string, Json>([
    ['date', fromPlain(Date.now())],
    ['user', record.get('from') ?? null],
    ['status', record.get('status') ?? 'incomplete'],
    ['reason', record.get('reason') ?? ''],
  ]);
}

/** Only a work request with a language has something to translate into. */
function emptyTranslation(record: JsonObject): Json | undefined {
  const language = record.get('language');
  if (language === undefined) return undefined;
  const id = newId();
  return fromPlain({
    _id: id,
    asset: idOf(record.get('asset')),
    workRequest: idOf(record.get('_id')),
    language,
    status: 'incomplete',
    lines: [],
    printLines: [],
    approval: false,
    created: Date.now(),
    $links: { self: link('Translation', id) },
  });
}

function studioOf(record: JsonObject): Json | undefined {
  const [project, asset] = [record.get('project'), record.get('asset')];
  const studio = isObject(project) ? project.get('studio') : undefined;
  return studio ?? (isObject(asset) ? asset.get('studio') : undefined);
}

function fill(record: JsonObject, field: string, make: () => Json | undefined): void {
  if (record.has(field)) return;
  const value = make();
  if (value !== undefined) record.set(field, value);
}
