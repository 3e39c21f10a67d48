import { fromPlain, isObject, type Json, type JsonObject } from '../../json/value.ts';
import assets from './assets.json' with { type: 'json' };
import events from './events.json' with { type: 'json' };
import files from './files.json' with { type: 'json' };
import groups from './groups.json' with { type: 'json' };
import notifications from './notifications.json' with { type: 'json' };
import offlines from './offlines.json' with { type: 'json' };
import previews from './previews.json' with { type: 'json' };
import projects from './projects.json' with { type: 'json' };
import studios from './studios.json' with { type: 'json' };
import users from './users.json' with { type: 'json' };
import workflows from './workflows.json' with { type: 'json' };
import workRequests from './workRequests.json' with { type: 'json' };

/*
 * The demo data is in JSON files. Each has a list of `records`, and maybe `defaults`: fields that a
 * record has unless it says otherwise. A string such as "@-9d+1h" is a time: nine days before the data
 * is made, plus one hour; d, h and m are days, hours and minutes. Records name each other by id, and
 * seed.ts puts the named record in where the API embeds it.
 */

interface DemoFile {
  defaults?: object;
  records: readonly object[];
}

export const demoFiles = {
  assets,
  events,
  files,
  groups,
  notifications,
  offlines,
  previews,
  projects,
  studios,
  users,
  workflows,
  workRequests,
} satisfies Record<string, DemoFile>;

/** The records of a file, with their defaults and their times. */
export function readDemoFile({ defaults = {}, records }: DemoFile, now: number): JsonObject[] {
  const shared = withTimes(fromPlain(defaults), now) as JsonObject;
  return records.map((record) => {
    const own = withTimes(fromPlain(record), now) as JsonObject;
    // The record's own fields come first, because they are the interesting ones.
    return new Map([...own, ...(merge(shared, own) as JsonObject)]);
  });
}

/** Objects are merged field by field. Everything else is replaced. */
function merge(base: Json, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over;
  const merged = new Map(base);
  for (const [key, value] of over) {
    const before = merged.get(key);
    merged.set(key, before === undefined ? value : merge(before, value));
  }
  return merged;
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const relativeTime = /^@(?:[+-]\d+[dhm])+$/;

function withTimes(json: Json, now: number): Json {
  if (Array.isArray(json)) return json.map((item) => withTimes(item, now));
  if (isObject(json)) return new Map([...json].map(([key, value]) => [key, withTimes(value, now)]));
  if (typeof json !== 'string' || !relativeTime.test(json)) return json;
  const steps = json.match(/[+-]\d+[dhm]/g) ?? [];
  const offsets = steps.map((step) => Number.parseInt(step, 10) * (unitMs[step.slice(-1)] ?? 0));
  return fromPlain(offsets.reduce((sum, offset) => sum + offset, now));
}
