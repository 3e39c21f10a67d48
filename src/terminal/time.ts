import { JsonNumber } from '../json/value.ts';

/** The service does not document the unit of its times. `auto` decides by their size. */
export const timeUnits = ['auto', 's', 'ms', 'us'] as const;
export type TimeUnit = (typeof timeUnits)[number];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const spans = [
  ['y', 365.25 * day],
  ['mo', 30.44 * day],
  ['d', day],
  ['h', hour],
  ['min', minute],
  ['s', second],
] as const;

/** 1990 and 2100, in milliseconds. Between them, the three units do not overlap. */
const earliest = 631_152_000_000;
const latest = 4_102_444_800_000;

const millisecondsIn = { s: 1000, ms: 1, us: 0.001 } as const;

export function readTime(value: unknown, unit: TimeUnit = 'auto'): Date | undefined {
  const amount = asNumber(value);
  if (amount === undefined) return undefined;
  const units = unit === 'auto' ? (['s', 'ms', 'us'] as const) : [unit];
  const times = units.map((one) => amount * millisecondsIn[one]);
  const time = times.find((one) => one >= earliest && one < latest);
  return time === undefined ? undefined : new Date(time);
}

/** `2026-12-01 18:00 Europe/Paris`; in UTC without a zone, or with an unknown one. */
export function formatDate(date: Date, zone = 'UTC'): string {
  const format = zone === 'UTC' ? undefined : formatFor(zone);
  if (format === undefined) return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const part = Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, value]),
  );
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute} ${zone}`;
}

export function localDay(date: Date): string {
  const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getFullYear(), ...parts].join('-');
}

/** `3 h ago`, `in 2 d`, `just now`. */
export function formatRelative(date: Date, now: Date): string {
  const distance = date.getTime() - now.getTime();
  if (Math.abs(distance) < minute) return 'just now';
  const [span] = spansIn(Math.abs(distance));
  return distance < 0 ? `${span} ago` : `in ${span}`;
}

/** A duration in its two largest units: `2 d 3 h`, `1 min 5 s`, `450 ms`. */
export function formatSpan(milliseconds: number): string {
  const length = Math.max(0, Math.round(milliseconds));
  if (length < second) return `${length} ms`;
  return spansIn(length).slice(0, 2).join(' ');
}

/** Units from the largest on, up to the first zero: 2 d 0 h 5 min is `2 d`. */
function spansIn(length: number): string[] {
  const found: string[] = [];
  let rest = length;
  for (const [name, size] of spans) {
    const count = Math.floor(rest / size);
    if (count === 0 && found.length > 0) break;
    if (count > 0) found.push(`${count} ${name}`);
    rest -= count * size;
  }
  return found;
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof JsonNumber ? Number(value.source) : undefined;
}

function formatFor(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
