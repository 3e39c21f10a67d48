import { orUndefined } from '../errors.ts';
import { JsonNumber } from '../json/value.ts';

export const units = {
  s: { name: 'seconds', milliseconds: 1000 },
  ms: { name: 'milliseconds', milliseconds: 1 },
  us: { name: 'microseconds', milliseconds: 0.001 },
  ns: { name: 'nanoseconds', milliseconds: 0.000001 },
} as const;
export type KnownUnit = keyof typeof units;
const knownUnits = ['s', 'ms', 'us', 'ns'] as const satisfies readonly KnownUnit[];
/** The service does not document the unit of its times. `auto` decides by their size. */
export const timeUnits = ['auto', ...knownUnits] as const;
export type TimeUnit = (typeof timeUnits)[number];

export interface Clock {
  now: Date;
  /** The time in a value of the service; undefined if it is none. */
  date(value: unknown): Date | undefined;
}

/* In milliseconds. */
const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
const spans = [
  ['y', 365.25 * day],
  ['mo', 30.44 * day],
  ['d', day],
  ['h', hour],
  ['min', minute],
  ['s', second],
] as const;

/** 1990 and 2100, in milliseconds. Between them, the units do not overlap. */
const earliest = 631_152_000_000;
const latest = 4_102_444_800_000;

export function readTime(value: unknown, unit: TimeUnit = 'auto'): Date | undefined {
  const amount = asNumber(value);
  if (amount === undefined) return undefined;
  const possible = unit === 'auto' ? knownUnits : [unit];
  const times = possible.map((one) => amount * units[one].milliseconds);
  const time = times.find((one) => one >= earliest && one < latest);
  return time === undefined ? undefined : new Date(time);
}

/** The unit that a time has by its size. */
export const unitOf = (value: unknown): KnownUnit | undefined =>
  knownUnits.find((unit) => readTime(value, unit));

/** Microseconds and nanoseconds may have more digits than a `Date` keeps. */
export const isWholeMilliseconds = (value: unknown): boolean => {
  const amount = asNumber(value) ?? 0;
  return amount < latest || amount % (amount < 1e17 ? 1000 : 1e6) === 0;
};

/*
 * The rule for time zones. People get local time (TZ) with the name of the zone, unless the record
 * names a zone for that time. Programs get ISO 8601 in UTC. Days are local days.
 */

/** `2026-12-01 18:00 CET`; in a zone of the record `2026-12-01 18:00 Europe/Paris`. */
export function formatDate(date: Date, zone?: unknown): string {
  const format = typeof zone === 'string' && zone !== '' ? formatFor(zone) : undefined;
  if (format === undefined) {
    return `${localDay(date)} ${date.toTimeString().slice(0, 5)} ${zoneName(date)}`;
  }
  return `${format.format(date)} ${zone}`;
}

/** `18:00:59 CET` */
export const formatTime = (date: Date) => `${date.toTimeString().slice(0, 8)} ${zoneName(date)}`;

/** `CET`, or `UTC+9` where English has no short name. Each of the two locales has names of its own. */
function zoneName(date: Date): string {
  const names = ['en-GB', 'en-US'].map((locale) => {
    const parts = formatOf(locale, { timeZoneName: 'short' }).formatToParts(date);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  });
  const name = names.find((one) => !/^GMT./.test(one)) ?? names[0] ?? '';
  return name.replace(/^GMT(?:\+0$|(?=[+-]))/, 'UTC');
}

/** The zone of this machine: `Europe/Berlin`, or a short name if the system has no other. */
export function localZoneName(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? zoneName(new Date()) : timeZone;
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
export const formatSpan = (milliseconds: number): string =>
  partsOf(milliseconds).slice(0, 2).join(' ');

/** A duration in its largest unit: `2 d`. */
export const longestSpan = (milliseconds: number): string => partsOf(milliseconds)[0] ?? '';

function partsOf(milliseconds: number): string[] {
  const length = Math.max(0, Math.round(milliseconds));
  return length < second ? [`${length} ms`] : spansIn(length);
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

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Rows of a batch mostly repeat a few zones, and a format takes a millisecond. Without a zone, it is that
 * of the process, which every date names.
 */
export function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options, new Date(0).toString()]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Swedish, which is ISO 8601 with a space. Undefined for an unknown time zone. */
const formatFor = (timeZone: string) =>
  orUndefined(() => formatOf('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }));
