import type * as z from 'zod/mini';
import { type FieldSchemas, fieldBelow } from '../api/schemaWalk.ts';
import { fieldError } from '../errors.ts';
import type { PathStep } from '../json/path.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { readTime } from '../values/time.ts';

/** `2026-12-01`, `2026-12-01T18:00`, `2026-12-01 18:00:30.5`, with `Z` or `+01:00` or neither. */
const dateText =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(?<offset>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** `+14d`, `+2w` or `+36h`, counted from now; days and weeks with a time of day: `+14dT18:00`. */
const relativeText =
  /^\+(?<count>\d{1,4})(?:(?<unit>[hdw])|(?<days>[dw])[T ](?<clock>\d{2}:\d{2}))$/;

const hour = 3600 * 1000;
const day = 24 * hour;

export const isDateText = (text: string) => dateText.test(text) || relativeText.test(text);

export const hasOffset = (text: string) => dateText.exec(text)?.groups?.offset !== undefined;

/** Milliseconds since 1970 of a date that a person wrote. Without an offset, it is in the given zone. */
export function readDateText(text: string, zone: string, name: string, now: Date): number {
  if (relativeText.test(text)) return readRelative(text, zone, name, now);
  const { day: date = '', clock = '00:00', offset } = dateText.exec(text)?.groups ?? {};
  const wall = Date.parse(`${date}T${clock}Z`);
  const instant = Date.parse(`${date}T${clock}${offset?.toUpperCase() ?? 'Z'}`);
  // Date.parse turns 31 June into 1 July.
  const isReal = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(date);
  if (!isReal || Number.isNaN(instant)) {
    throw fieldError(name, `invalid time ${text}`);
  }
  return offset === undefined ? inZone(wall, zone, name, text) : instant;
}

/** Days keep the time of day, even if clocks change in between. */
function readRelative(text: string, zone: string, name: string, now: Date): number {
  const { count, days, clock, unit = days } = relativeText.exec(text)?.groups ?? {};
  const start = Math.floor(now.getTime() / 60_000) * 60_000;
  if (unit === 'h') return start + Number(count) * hour;
  const length = Number(count) * (unit === 'w' ? 7 : 1) * day;
  const wallClockAt = wallClockOf(zone, name);
  const wall = wallClockAt(start) + length;
  if (clock !== undefined) {
    const date = new Date(wall).toISOString().slice(0, 10);
    return readDateText(`${date}T${clock}`, zone, name, now);
  }
  return instantAt(wall, wallClockAt) ?? start + length;
}

function inZone(wall: number, zone: string, name: string, text: string): number {
  const instant = instantAt(wall, wallClockOf(zone, name));
  if (instant !== undefined) return instant;
  throw fieldError(name, `${text} does not exist in ${zone}: clocks skip it`);
}

/** Converts the wall-clock time of a zone. If clocks show it twice, the first counts. */
function instantAt(wall: number, wallClockAt: (instant: number) => number): number | undefined {
  // One of the offsets a day before and after is right, unless clocks skip this time.
  const candidates = [wall - day, wall + day].map((near) => wall - (wallClockAt(near) - near));
  const found = candidates.filter((instant) => wallClockAt(instant) === wall);
  return found.length === 0 ? undefined : Math.min(...found);
}

export const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function checkZone(zone: string, name: string): void {
  wallClockOf(zone, name);
}

/** Returns the wall-clock time of a zone at an instant, as if it were UTC. */
function wallClockOf(zone: string, name: string): (instant: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw fieldError(
      name,
      `unknown time zone "${zone}"`,
      'Use a time zone such as Europe/Paris, or a time with its offset: 2026-12-01T18:00+01:00',
    );
  }
  return (instant) => {
    const part = Object.fromEntries(
      format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
    const milliseconds = ((instant % 1000) + 1000) % 1000;
    const { year, month, minute, second } = part;
    return Date.UTC(year, month - 1, part.day, part.hour, minute, second) + milliseconds;
  };
}

export const units = {
  s: { name: 'seconds', milliseconds: 1000 },
  ms: { name: 'milliseconds', milliseconds: 1 },
  us: { name: 'microseconds', milliseconds: 0.001 },
} as const;
export type KnownUnit = keyof typeof units;
const knownUnits = Object.keys(units) as KnownUnit[];

export type IsTime = (schema: z.core.$ZodType) => boolean;

export const unitOf = (value: Json | undefined): KnownUnit | undefined =>
  value instanceof JsonNumber ? knownUnits.find((unit) => readTime(value, unit)) : undefined;

/** The unit of the first time that a record holds. */
export function unitIn(json: Json, field: FieldSchemas, isTime: IsTime): KnownUnit | undefined {
  if (field.some(isTime)) return unitOf(json);
  for (const [step, value] of childrenOf(json)) {
    const below = fieldBelow(field, step);
    const unit = below.length > 0 ? unitIn(value, below, isTime) : undefined;
    if (unit) return unit;
  }
  return undefined;
}

/** The strings of a record where a time belongs. */
export function timeStrings(
  json: Json,
  field: FieldSchemas,
  isTime: IsTime,
  steps: readonly PathStep[] = [],
): { steps: readonly PathStep[]; text: string }[] {
  if (typeof json === 'string') return field.some(isTime) ? [{ steps, text: json }] : [];
  return [...childrenOf(json)].flatMap(([step, value]) => {
    const below = fieldBelow(field, step);
    return below.length > 0 ? timeStrings(value, below, isTime, [...steps, step]) : [];
  });
}

function childrenOf(json: Json): Iterable<[string | number, Json]> {
  if (isObject(json)) return json;
  return Array.isArray(json) ? json.entries() : [];
}
