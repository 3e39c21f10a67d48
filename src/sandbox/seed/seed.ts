import type { Download } from '../../api/file.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Seed, SeedRecord } from '../fillDatabase.ts';
import type { Kind } from '../recordStore.ts';
import {
  assetPlans,
  byId,
  deliverablesOf,
  hour,
  logos,
  previewsOf,
  projects,
  studios,
  thumbnailOf,
  toAsset,
  toJsonObject,
} from './demoAssets.ts';
import { notifiedEvents } from './demoEvents.ts';
import { users } from './demoUsers.ts';
import { offlines, workRequests } from './demoWorkRequests.ts';

export { demoPassword } from './demoUsers.ts';

export function* demoSeed(now: number, downloadCount?: number): Seed {
  const { records, downloads } = seed(now, downloadCount);
  yield* records;
  for (const record of downloads) yield { kind: 'Download', id: String(record.get('_id')), record };
}

/** For data without users: somebody must be able to log in. */
export const demoUsers = (now: number): SeedRecord[] =>
  seed(now, 0).records.filter(({ kind }) => kind === 'User');

/** The demo data, with times relative to `now`. The same `now` gives the same data. */
export function seed(now: number, downloadCount = 2600) {
  const notified = notifiedEvents(now);
  const recordsByKind: [Kind, readonly { _id?: string }[]][] = [
    ['Studio', studios],
    ['Project', projects],
    // Lists start with the newest record, so the demo login is written last.
    ['User', users.toReversed()],
    ['Asset', assetPlans.map((plan) => toAsset(plan, now))],
    ['File', logos(now)],
    ['File', assetPlans.map((plan) => thumbnailOf(plan, now))],
    ['File', assetPlans.flatMap((plan) => deliverablesOf(plan, now))],
    ['Preview', assetPlans.flatMap((plan) => previewsOf(plan, now))],
    ['WorkRequest', workRequests(now)],
    ['Offline', offlines(now)],
    ['Event', notified.map(({ event }) => event)],
    ['Notification', notified.map(({ notification }) => notification)],
  ];
  return {
    records: recordsByKind.flatMap(([kind, records]) =>
      records.map((record) => ({ kind, id: record._id ?? '', record: toJsonObject(record) })),
    ),
    downloads: downloads(now, downloadCount),
  };
}

/** One download about every hour up to `now`, oldest first. Made one at a time: there may be many. */
function* downloads(now: number, count: number): Generator<JsonObject> {
  const files = assetPlans.flatMap((plan) =>
    deliverablesOf(plan, now).map((file) => ({ plan, file })),
  );
  const random = seededRandom(20_260_401);
  for (let number = 1; number <= count; number += 1) {
    const { plan, file } = pickMostlyFirst(files, random());
    const { _id, asset, name, project, studio } = file;
    const download: Download = {
      _id: `d-${String(number).padStart(6, '0')}`,
      asset: { _id: plan._id, name: plan.name, type: plan.type },
      project: { _id: plan.project, name: byId(projects, plan.project).name },
      file: { _id, asset, name, project, studio },
      created: Math.floor(now - (count - number + random()) * hour),
      user: pickMostlyFirst(users, random())._id,
    };
    yield toJsonObject(download);
  }
}

/** Favours the first choices, because real use is uneven. */
const pickMostlyFirst = <T>(choices: readonly T[], random: number): T =>
  choices[Math.floor(random * random * choices.length)] as T;

/** A linear congruential generator of numbers from 0 to 1. */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
