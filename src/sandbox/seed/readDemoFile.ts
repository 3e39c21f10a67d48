import { fromPlain, isObject, type Json, type JsonObject } from '../../json/value.ts';

/** See demoFiles.ts. */
export interface DemoFile {
  defaults?: object;
  records: readonly object[];
}

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
