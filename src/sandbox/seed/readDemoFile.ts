import { fieldOf, fieldsOf } from '../../json/fields.ts';
import { fromPlain, type JsonObject } from '../../json/value.ts';

/** See demoFiles.ts. */
export interface DemoFile {
  defaults?: object;
  records: readonly object[];
}

/** The records of a file, with their defaults and their times. */
export function readDemoFile(file: DemoFile, now: number): JsonObject[] {
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

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const relativeTime = /^@(?:[+-]\d+[dhm])+$/;

function timeAt(text: string, now: number): number {
  const steps = text.match(/[+-]\d+[dhm]/g) ?? [];
  const offsets = steps.map((step) => Number.parseInt(step, 10) * (unitMs[step.slice(-1)] ?? 0));
  return offsets.reduce((sum, offset) => sum + offset, now);
}
