import type { JsonObject } from '../../json/value.ts';
import type { Kind } from '../recordStore.ts';
import { assetPlans, previewsOf, projects, studios, toAsset } from './demoAssets.ts';
import { events, notifications, offlines } from './demoEvents.ts';
import { deliverablesOf, downloads, logos, thumbnailOf } from './demoFiles.ts';
import { users } from './demoUsers.ts';
import { toJsonObject, toWorkRequest, workRequestPlans } from './demoWorkRequests.ts';

interface SeedRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly record: JsonObject;
}

interface Seed {
  readonly records: readonly SeedRecord[];
  readonly accounts: readonly { readonly userId: string; readonly email: string }[];
  /** Made one at a time, because there may be many. */
  readonly downloads: Iterable<JsonObject>;
}

/** The demo data, with times relative to `now`. The same `now` gives the same data. */
export function seed(now: number, downloadCount = 2600): Seed {
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
    ['WorkRequest', workRequestPlans.map((plan) => toWorkRequest(plan, now))],
    ['Offline', offlines(now)],
    ['Event', events(now)],
    ['Notification', notifications(now)],
  ];
  return {
    records: recordsByKind.flatMap(([kind, records]) =>
      records.map((record) => ({ kind, id: record._id ?? '', record: toJsonObject(record) })),
    ),
    accounts: users.map(({ _id = '', emailNormal = '' }) => ({ userId: _id, email: emailNormal })),
    downloads: mapLazily(downloads(now, downloadCount), toJsonObject),
  };
}

function* mapLazily<In, Out>(items: Iterable<In>, change: (item: In) => Out): Generator<Out> {
  for (const item of items) yield change(item);
}
