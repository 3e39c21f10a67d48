import { fieldOf, fieldsOf } from '../../../core/json/fields.ts';
import {
  fromPlain,
  isObject,
  type Json,
  type JsonObject,
  printJson,
} from '../../../core/json/value.ts';
import { day, hour, minute } from '../../../core/values/time.ts';
import { completeWorkRequest, link, linksOf, pick, summarizeUser } from '../api/newRecords.ts';
import { standInPassword } from '../store/accounts.ts';
import { behaviourOf } from '../store/behaviour.ts';
import type { Kind, Seed, SeedRecord } from '../store/recordStore.ts';
import * as demoFiles from './demoFiles.ts';
import subtitles from './subtitles.json' with { type: 'json' };

type Tables = Readonly<Record<keyof typeof demoFiles, JsonObject[]>>;

/** Parts of other records. The service has none of their own. */
const partsOnly = ['Group', 'Workflow'];

const servedTables = (tables: Tables) =>
  Object.entries(tables).filter(([kind]) => !partsOnly.includes(kind)) as [Kind, JsonObject[]][];

/** The demo data, with times relative to `now`. The same `now` gives the same data. */
export function* demoSeed(now: number, downloadCount = 2600): Seed {
  const tables = readTables(now);
  const toSeed = (kind: Kind) => (record: JsonObject) => ({ kind, id: recordId(record), record });
  for (const [kind, records] of servedTables(tables)) {
    // Lists start with the newest record, so the demo login is written last.
    yield* (kind === 'User' ? records.toReversed() : records).map(toSeed(kind));
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
  const read = files.map(([kind, file]) => [kind, readDemoFile(file, now)]);
  const tables = Object.fromEntries(read) as Tables;
  for (const [kind, records] of servedTables(tables)) {
    // Events are documented without links.
    for (const record of kind === 'Event' ? [] : records)
      record.set('$links', linksOf(kind, recordId(record), record));
  }
  for (const user of tables.User) completeUser(user, tables);
  for (const asset of tables.Asset) completeAsset(asset, tables);
  for (const workRequest of tables.WorkRequest) completeDemoRequest(workRequest, tables);
  for (const event of tables.Event) completeEvent(event, tables);
  for (const notification of tables.Notification) completeNotification(notification, tables);
  return tables;
}

function find(records: readonly JsonObject[], id: Json | undefined): JsonObject {
  const record = records.find((one) => one.get('_id') === id);
  if (record === undefined) throw new Error(`the demo data has no ${id}`);
  return record;
}

function completeUser(user: JsonObject, { Group }: Tables): void {
  const id = recordId(user);
  user.set('id', id).set('username', user.get('emailNormal') ?? '');
  user.set('password', standInPassword(id));
  const groups = list(user.get('groups')).map((group) => find(Group, group));
  user.set('groups', groups);
}

function completeAsset(asset: JsonObject, { Workflow, Preview }: Tables): void {
  const workflow = asset.get('workflow');
  if (isObject(workflow)) {
    const { definition } = toObject(find(Workflow, workflow.get('id')));
    workflow.set('definition', definition ?? null);
  }
  const isVideo = asset.get('mediaType') === 'video';
  const own = Preview.filter((preview) => preview.get('asset') === asset.get('_id'));
  const cuts = own.map((preview) => {
    const path = `/previews/${recordId(preview)}.mp4`;
    return pick(preview, '_id, asset, created, label, project, revision, studio')
      .set('language', 'eng')
      .set('type', isVideo ? 'proxy' : 'image')
      .set('cdn', fromPlain({ domain: 'cdn.media.example', path, key: 'DEMO-KEY' }));
  });
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
      translator: summarizeUser(find(tables.User, translation.translator)),
      lines: fromPlain(lines),
      created,
      $links: fromPlain({ self: link('Translation', String(translation._id)) }),
    };
    workRequest.set(field, new Map(Object.entries(completed)));
  }
  for (const entry of list(workRequest.get('history'))) {
    if (!isObject(entry)) continue;
    const user = find(tables.User, entry.get('user'));
    entry.set('user', summarizeUser(user, { hasLinks: false }));
  }
  const all = Object.values(tables).flat();
  completeWorkRequest(workRequest, String(from), {
    readRecord: (_kind, id) => find(all, id),
    behaviour: behaviourOf(),
  });
}

/** An event has the ids of what a work request embeds. */
function completeEvent(event: JsonObject, { WorkRequest, User, Project }: Tables): void {
  event.set('from', pick(find(User, event.get('from')), '_id, name, emailNormal, $links'));
  const own = event.get('workRequest');
  if (!isObject(own)) return;
  const id = recordId(own);
  const whole = find(WorkRequest, id);
  const summary = new Map(whole);
  for (const field of ['history', 'urls', '$links']) summary.delete(field);
  for (const field of ['project', 'asset', 'from', 'translation', 'graphicsTranslation']) {
    summary.set(field, recordId(whole.get(field)));
  }
  event.set('workRequest', new Map([...summary, ...own]));
  const project = find(Project, summary.get('project'));
  event.set('projects', [pick(project, '_id, name, slug')]);
  const urls = printJson(whole.get('urls') ?? null).replaceAll(':workRequest', id);
  event.set('urls', fromPlain(JSON.parse(urls)));
  event.set('assets', [recordId(whole.get('asset'))]);
}

function completeNotification(notification: JsonObject, { Event, User }: Tables): void {
  const event = find(Event, notification.get('event'));
  const sender = find(User, notification.get('from'));
  const from = pick(sender, '_id, name, emailNormal, $links, status, username, invite');
  notification.set('event', new Map(event).set('from', from));
}

const list = (json: Json | undefined): Json[] => (Array.isArray(json) ? json : []);

/** The fields of an object, by name. */
const toObject = (json: Json | undefined): Record<string, Json> =>
  isObject(json) ? Object.fromEntries(json) : {};

/** One download about every hour up to `now`, oldest first. Made one at a time: there may be many. */
function* downloads(tables: Tables, now: number, count: number): Generator<JsonObject> {
  const files = tables.File.filter((file) => list(file.get('tags')).length > 1);
  const random = seededRandom(20_260_401);
  for (let number = 1; number <= count; number += 1) {
    const file = pickMostlyFirst(files, random());
    const asset = find(tables.Asset, file.get('asset'));
    const project = find(tables.Project, file.get('project'));
    const created = Math.floor(now - (count - number + random()) * hour);
    yield new Map<string, Json>([
      ['_id', `d-${String(number).padStart(6, '0')}`],
      ['asset', pick(asset, '_id, name, type')],
      ['project', pick(project, '_id, name')],
      ['file', pick(file, '_id, asset, name, project, studio')],
      ['created', fromPlain(created)],
      ['user', recordId(pickMostlyFirst(tables.User, random()))],
    ]);
  }
}

/** A linear congruential generator of numbers from 0 to 1. */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Favours the first choices, because real use is uneven. */
const pickMostlyFirst = <T>(choices: readonly T[], random: number): T =>
  choices[Math.floor(random * random * choices.length)] as T;

interface DemoFile {
  defaults?: object;
  records: readonly object[];
}

function readDemoFile(file: DemoFile, now: number): JsonObject[] {
  const { defaults, records }: DemoFile = JSON.parse(JSON.stringify(file), (_key, value) =>
    typeof value === 'string' && relativeTime.test(value) ? timeAt(value, now) : value,
  );
  // The record's own fields come first, because they are the interesting ones.
  return records.map((own) => fromPlain({ ...own, ...merge(defaults, own) }) as JsonObject);
}

/** Objects are merged field by field. Everything else is replaced. */
function merge<T>(base: unknown, over: T): T {
  const fields = fieldsOf(over);
  if (!fields || !fieldsOf(base)) return over;
  const merged = fields.map(([key, value]) => [key, merge(fieldOf(base, key), value)]);
  return Object.assign({}, base, Object.fromEntries(merged));
}

const unitMs: Readonly<Record<string, number>> = { d: day, h: hour, m: minute };
const relativeTime = /^@(?:[+-]\d+[dhm])+$/;

function timeAt(text: string, now: number): number {
  const steps = text.match(/[+-]\d+[dhm]/g) ?? [];
  const offsets = steps.map((step) => Number.parseInt(step, 10) * (unitMs[step.slice(-1)] ?? 0));
  return offsets.reduce((sum, offset) => sum + offset, now);
}

/** By work request or project, and part. `times` has the start and stop of each line, in seconds; then the texts by language. */
type Subtitles = Readonly<Record<string, Record<string, Record<string, readonly unknown[]>>>>;

/** The lines of a work request, else of its project's trailer. Graphics are titles on the screen. */
function subtitleLines(owners: readonly string[], part: 'dialogue' | 'graphics', language: string) {
  const owner = owners.find((id) => Object.hasOwn(subtitles, id)) ?? '';
  const { times = [], ...texts } = (subtitles as Subtitles)[owner]?.[part] ?? {};
  return (texts[language] ?? []).map((text, index) => {
    const range = times.slice(2 * index, 2 * index + 2);
    const [startTime, stopTime] = range.map((seconds) => timecode(Number(seconds)));
    return {
      number: index + 1,
      text,
      auto: false,
      custom: true,
      machine: false,
      startTime,
      stopTime,
      alignment: 'bottom',
      textAlign: 'center',
      split: '',
      merged: '',
      range,
    };
  });
}

const timecode = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',');
