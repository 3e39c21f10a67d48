import { fromPlain, type JsonObject } from '../../json/value.ts';
import type { Kind } from '../schema.ts';
import { assetPlans } from './assetPlans.ts';
import { toAsset } from './assets.ts';
import { downloads, usualDownloads } from './downloads.ts';
import { events, notifications, offlines } from './events.ts';
import { deliverablesOf, logos, thumbnailOf } from './files.ts';
import { previewsOf } from './previews.ts';
import { projects, studios } from './studios.ts';
import { users } from './users.ts';
import { workRequestPlans } from './workRequestPlans.ts';
import { toWorkRequest } from './workRequests.ts';

interface SeedRecord {
  readonly kind: Kind;
  readonly id: string;
  readonly record: JsonObject;
}

interface Seed {
  readonly records: readonly SeedRecord[];
  readonly accounts: readonly { readonly userId: string; readonly email: string }[];
  /** One after the other: there may be many. */
  readonly downloads: Iterable<JsonObject>;
}

/** The demo data, as it would look at `now`. The same `now` yields the same data. */
export function seed(now: number, downloadCount = usualDownloads): Seed {
  return {
    records: [
      ...of('Studio', studios),
      ...of('Project', projects),
      // Lists begin with what was written last: the demo login comes first.
      ...of('User', users.toReversed()),
      ...of(
        'Asset',
        assetPlans.map((plan) => toAsset(plan, now)),
      ),
      ...of('File', logos(now)),
      ...of(
        'File',
        assetPlans.map((plan) => thumbnailOf(plan, now)),
      ),
      ...of(
        'File',
        assetPlans.flatMap((plan) => deliverablesOf(plan, now)),
      ),
      ...of(
        'Preview',
        assetPlans.flatMap((plan) => previewsOf(plan, now)),
      ),
      ...of(
        'WorkRequest',
        workRequestPlans.map((plan) => toWorkRequest(plan, now)),
      ),
      ...of('Offline', offlines(now)),
      ...of('Event', events(now)),
      ...of('Notification', notifications(now)),
    ],
    accounts: users.map(({ _id = '', emailNormal = '' }) => ({ userId: _id, email: emailNormal })),
    downloads: toJson(downloads(now, downloadCount)),
  };
}

function of(kind: Kind, records: readonly { _id?: string }[]): SeedRecord[] {
  return records.map((record) => ({
    kind,
    id: record._id ?? '',
    record: fromPlain(record) as JsonObject,
  }));
}

function* toJson(records: Iterable<object>): Generator<JsonObject> {
  for (const record of records) yield fromPlain(record) as JsonObject;
}
