import { fieldOf } from '../../json/fields.ts';
import { fromPlain, isObject, type Json, type JsonObject } from '../../json/value.ts';
import {
  applicationUrls,
  completeWorkRequest,
  link,
  linksOf,
  pick,
  summarizeUser,
} from '../api/newRecords.ts';
import { seededRandom } from '../seededRandom.ts';
import { standInPassword } from '../store/accounts.ts';
import type { Seed, SeedRecord } from '../store/fillDatabase.ts';
import type { Kind } from '../store/recordStore.ts';
import * as demoFiles from './demoFiles.ts';
import { subtitleLines } from './demoSubtitles.ts';
import { type DemoFile, readDemoFile } from './readDemoFile.ts';

/** The records of each file at a moment. */
type Tables = Readonly<Record<keyof typeof demoFiles, JsonObject[]>>;

const hour = 3_600_000;

/** The files whose records are served, in the order in which they are written. */
const kindsByFile: readonly (readonly [keyof Tables, Kind])[] = [
  ['studios', 'Studio'],
  ['projects', 'Project'],
  ['users', 'User'],
  ['assets', 'Asset'],
  ['files', 'File'],
  ['previews', 'Preview'],
  ['workRequests', 'WorkRequest'],
  ['offlines', 'Offline'],
  ['events', 'Event'],
  ['notifications', 'Notification'],
];

/** The demo data, with times relative to `now`. The same `now` gives the same data. */
export function* demoSeed(now: number, downloadCount = 2600): Seed {
  const tables = readTables(now);
  const toSeed = (kind: Kind) => (record: JsonObject) => ({ kind, id: recordId(record), record });
  for (const [file, kind] of kindsByFile) {
    // Lists start with the newest record, so the demo login is written last.
    const records = kind === 'User' ? tables[file].toReversed() : tables[file];
    yield* records.map(toSeed(kind));
  }
  for (const record of downloads(tables, now, downloadCount)) yield toSeed('Download')(record);
}

/** For data without users: somebody must be able to log in. */
export const demoUsers = (now: number): SeedRecord[] =>
  [...demoSeed(now, 0)].filter(({ kind }) => kind === 'User');

const recordId = (record: Json | undefined): string => String(fieldOf(record, '_id'));

/** Reads the files in the order in which the records of one are embedded in those of another. */
function readTables(now: number): Tables {
  const files = Object.entries<DemoFile>(demoFiles);
  const read = files.map(([name, file]) => [name, readDemoFile(file, now)]);
  const tables = Object.fromEntries(read) as Tables;
  for (const [file, kind] of kindsByFile) {
    // Events are documented without links.
    for (const record of kind === 'Event' ? [] : tables[file])
      record.set('$links', linksOf(kind, recordId(record), record));
  }
  for (const user of tables.users) completeUser(user, tables);
  for (const asset of tables.assets) completeAsset(asset, tables);
  for (const workRequest of tables.workRequests) completeDemoRequest(workRequest, tables);
  for (const event of tables.events) completeEvent(event, tables);
  for (const notification of tables.notifications) completeNotification(notification, tables);
  return tables;
}

function find(records: readonly JsonObject[], id: Json | undefined): JsonObject {
  const record = records.find((one) => one.get('_id') === id);
  if (record === undefined) throw new Error(`the demo data has no ${id}`);
  return record;
}

function completeUser(user: JsonObject, { groups }: Tables): void {
  const id = recordId(user);
  user.set('id', id).set('username', user.get('emailNormal') ?? '');
  user.set('password', standInPassword(id));
  user.set(
    'groups',
    list(user.get('groups')).map((group) => find(groups, group)),
  );
}

function completeAsset(asset: JsonObject, { workflows, previews }: Tables): void {
  const workflow = asset.get('workflow');
  if (isObject(workflow)) {
    const { definition } = toObject(find(workflows, workflow.get('id')));
    workflow.set('definition', definition ?? null);
  }
  const isVideo = asset.get('mediaType') === 'video';
  const own = previews.filter((preview) => preview.get('asset') === asset.get('_id'));
  const cuts = own.map((preview) =>
    pick(preview, '_id, asset, created, label, project, revision, studio')
      .set('language', 'eng')
      .set('type', isVideo ? 'proxy' : 'image')
      .set(
        'cdn',
        fromPlain({
          domain: 'cdn.media.example',
          path: `/previews/${recordId(preview)}.mp4`,
          key: 'DEMO-KEY',
        }),
      ),
  );
  asset.set('previews', cuts);
  const links = asset.get('$links');
  if (isObject(links)) links.set('type', link('AssetType', String(asset.get('type'))));
}

function completeDemoRequest(workRequest: JsonObject, tables: Tables): void {
  const { _id, asset, project, language, from, created = null } = toObject(workRequest);
  for (const [field, part] of [
    ['translation', 'dialogue'],
    ['graphicsTranslation', 'graphics'],
  ] as const) {
    const translation = toObject(workRequest.get(field));
    const lines = subtitleLines([String(_id), String(project)], part, String(language));
    const completed = {
      ...translation,
      asset: asset ?? '',
      workRequest: _id ?? '',
      language: language ?? '',
      translator: summarizeUser(find(tables.users, translation.translator)),
      lines: fromPlain(lines),
      created,
      $links: fromPlain({ self: link('Translation', String(translation._id)) }),
    };
    workRequest.set(field, new Map(Object.entries(completed)));
  }
  for (const entry of list(workRequest.get('history'))) {
    if (!isObject(entry)) continue;
    const user = find(tables.users, entry.get('user'));
    entry.set('user', summarizeUser(user, { hasLinks: false }));
  }
  const all = Object.values(tables).flat();
  completeWorkRequest(workRequest, String(from), {
    readRecord: (_kind, id) => find(all, id),
  });
}

/** An event has the ids of what a work request embeds. */
function completeEvent(event: JsonObject, { workRequests, users, projects }: Tables): void {
  event.set('from', pick(find(users, event.get('from')), '_id, name, emailNormal, $links'));
  const own = event.get('workRequest');
  if (!isObject(own)) return;
  const id = recordId(own);
  const {
    history: _history,
    urls: _urls,
    $links: _links,
    ...fields
  } = toObject(find(workRequests, id));
  const references = ['project', 'asset', 'from', 'translation', 'graphicsTranslation'];
  const ids = references.map((field) => [field, recordId(fields[field])] as const);
  event.set(
    'workRequest',
    new Map(Object.entries({ ...fields, ...Object.fromEntries(ids), ...toObject(own) })),
  );
  const project = find(projects, recordId(fields.project));
  event.set('projects', [pick(project, '_id, name, slug')]);
  event.set(
    'urls',
    fromPlain(JSON.parse(JSON.stringify(applicationUrls).replaceAll(':workRequest', id))),
  );
  event.set('assets', [recordId(fields.asset)]);
}

function completeNotification(notification: JsonObject, { events, users }: Tables): void {
  const event = find(events, notification.get('event'));
  const sender = find(users, notification.get('from'));
  const from = pick(sender, '_id, name, emailNormal, $links, status, username, invite');
  notification.set('event', new Map(event).set('from', from));
}

const list = (json: Json | undefined): Json[] => (Array.isArray(json) ? json : []);

/** The fields of an object, by name. */
const toObject = (json: Json | undefined): Record<string, Json> =>
  isObject(json) ? Object.fromEntries(json) : {};

/** One download about every hour up to `now`, oldest first. Made one at a time: there may be many. */
function* downloads(tables: Tables, now: number, count: number): Generator<JsonObject> {
  const files = tables.files.filter((file) => list(file.get('tags')).length > 1);
  const random = seededRandom(20_260_401);
  for (let number = 1; number <= count; number += 1) {
    const file = pickMostlyFirst(files, random());
    const asset = find(tables.assets, file.get('asset'));
    const project = find(tables.projects, file.get('project'));
    const created = Math.floor(now - (count - number + random()) * hour);
    yield new Map<string, Json>([
      ['_id', `d-${String(number).padStart(6, '0')}`],
      ['asset', pick(asset, '_id, name, type')],
      ['project', pick(project, '_id, name')],
      ['file', pick(file, '_id, asset, name, project, studio')],
      ['created', fromPlain(created)],
      ['user', recordId(pickMostlyFirst(tables.users, random()))],
    ]);
  }
}

/** Favours the first choices, because real use is uneven. */
const pickMostlyFirst = <T>(choices: readonly T[], random: number): T =>
  choices[Math.floor(random * random * choices.length)] as T;
