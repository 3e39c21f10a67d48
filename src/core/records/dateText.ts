import {
  fieldError,
  type MarError,
  nameFacts,
  onCommandLine,
  orUndefined,
  usageError,
} from '../errors.ts';
import { lazily } from '../values/concurrency.ts';
import { folded } from '../values/match.ts';
import { nearest } from '../values/nearest.ts';
import { day, formatOf, hour } from '../values/time.ts';

/*
 * Dates and time zones as people type them. The API shows no way to cancel an order, so a date with two readings is
 * refused, and the error has both.
 */

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'.split('|');
const monthForm =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const weekdayForm =
  '(?:Sun|Mon|Fri)(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Sat(?:urday)?';
const dayWords = ['yesterday', 'today', 'tomorrow'];
const clock = String.raw`[T ](?<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?|(?<=T)\d{2})`;

/** `2026-12-01`, `2026-12-01T18`, `2026-12-01 18:00:30.5`; a time may have an offset: `Z` or `+01:00`. */
const isoForm = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d{2})-(?<date>\d{2})(?:(?!T\d:)${clock}(?<offset>Z|[+-]\d{2}:?\d{2})?)?$`,
  'i',
);
/** `1 Dec`, `1 Dec 2026`, `monday`, `tomorrow` or `+14d`, and each with a time: `+14dT18:00`. */
const wordForm = new RegExp(
  String.raw`^(?:(?<date>\d{1,2}) (?<month>${monthForm})(?: (?<year>\d{4}))?|(?<weekday>${weekdayForm})|(?<word>${dayWords.join('|')})|\+(?<count>\d{1,3})(?<unit>mo|[dwy]))(?:${clock})?$`,
  'i',
);
/** `01/12/2026` is in December for some people, and in January for others. */
const numericForm = /^(\d{1,2})[./-](\d{1,2})[./-](?:20)?(\d{2})(?:[T ]|$)/;

export const dateForms =
  '2026-12-01, 2026-12-01T18:00, 1 Dec, 1 Dec 2026 18:00, tomorrow, monday, +14d, +1mo, +14dT18:00';

type Form = Readonly<Record<string, string | undefined>>;

const formOf = (text: string): Form | undefined =>
  (isoForm.exec(text) ?? wordForm.exec(text))?.groups;

/** True for each date that `readDateText` reads, or refuses because it is ambiguous. */
export const isDateText = (text: string) =>
  [isoForm, wordForm, numericForm].some((form) => form.test(text));

/** The order of day and month in `1/12/2026`. */
export type DateOrder = 'dmy' | 'mdy';

/** The months by their names in these languages, from 0 on. */
const monthByName = lazily(() => {
  const names = ['en', 'de', 'fr', 'es'].flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) =>
      months.map((_, at) => {
        const name = formatOf(locale, { month, timeZone: 'UTC' }).format(Date.UTC(2026, at));
        return [folded(name).replace('.', ''), at] as const;
      }),
    ),
  );
  return new Map(names);
});
const monthFirst = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?=[T ]|$)/u;
const dayFirst =
  /^(\d{1,2})(?:\.|st|nd|rd|th|er)?[ -](?:de )?(\p{L}+)\.?[ ,-]+(?:de )?(\d{4})(?=[T ]|$)/u;
const halfDay = /(?<=[T ])(1[0-2]|0?[1-9])(:\d\d)?(:\d\d)? ?([ap])\.?m\.?$/i;

/**
 * A date of a table in a form that `readDateText` takes: `12.12.2026 6:30 PM`, `Dec 12, 2026` and
 * `12. Dezember 2026`. Where day and month can be exchanged, it needs to know the order. Any other text is
 * returned unchanged.
 */
export function plainDate(written: string, name: string, order?: DateOrder): string {
  const text = written.replace(halfDay, (_, hours, minutes = ':00', seconds = '', half) => {
    const hour = (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
    return `${hour}${minutes}${seconds}`;
  });
  if (!numericForm.test(text)) {
    const named = (whole: string, date: string, month: string, year: string) => {
      const at = monthByName().get(folded(month));
      return at === undefined ? whole : `${date} ${months[at]} ${year}`;
    };
    return text
      .replace(monthFirst, (whole, month, date, year) => named(whole, date, month, year))
      .replace(dayFirst, named);
  }
  const { dmy, mdy } = numericDays(text);
  const [date, other] = new Set(order ? { dmy, mdy }[order] : [...dmy, ...mdy]);
  if (other !== undefined) {
    const problem = `${text} has two readings: ${dmy.map(dayName)} (dmy) and ${mdy.map(dayName)} (mdy)`;
    const hint = onCommandLine('To say how such dates are read, use --dates dmy or --dates mdy.');
    throw fieldError(name, problem, { value: text, flag: '--dates', hint });
  }
  if (date === undefined) return text;
  return text.replace(/^[\d./-]+/, new Date(date).toISOString().slice(0, 10));
}

/** True for a time with its offset: `18:00Z`, `18:00+01:00`. */
export const hasOffset = (text: string) => formOf(text)?.offset !== undefined;

/** True for a day of the calendar without a time. */
export const isDayText = (text: string) =>
  isDateText(text) && !text.startsWith('+') && formOf(text)?.clock === undefined;

interface DateRules {
  /** The field or flag, for errors. */
  name: string;
  now: Date;
  /** The zone of a date without an offset; by default, that of this machine. */
  zone?: string;
  /**
   * `monday` and `1 Dec` are the next ones for a deadline, and the last ones for the start of a period.
   * A deadline without a time is the end of its day.
   */
  use?: 'deadline' | 'start';
}

/** `instant` is in milliseconds since 1970. */
export function readDateText(text: string, { name, now, zone, use }: DateRules) {
  const form = formOf(text);
  const time = timeOfDay(form?.clock ?? (use === 'deadline' ? '23:59' : '00:00'));
  if (!form || time === undefined) {
    const days = form ? [] : Object.values(numericDays(text)).flat();
    throw refused(text, name, [...new Set(days.map(dayName))]);
  }
  const wallClockAt = wallClockOf(zone);
  const today = Math.floor(wallClockAt(now.getTime()) / day) * day;
  const [date, ...others] = daysOf(form, today, use);
  if (date === undefined) throw refused(text, name, []);
  if (others.length > 0) throw refused(text, name, [date, ...others].map(dayName));
  const wall = date + time;
  const hasTime = form.clock !== undefined;
  if (form.offset !== undefined) {
    const instant = wall + Date.parse(`1970-01-01T00:00${form.offset.toUpperCase()}`);
    if (Number.isNaN(instant)) throw refused(text, name, []);
    return { hasTime, instant };
  }
  // The offset of the day before is right until clocks change, that of the day after from then on.
  const candidates = [wall - day, wall + day].map((near) => wall - (wallClockAt(near) - near));
  const found = [...new Set(candidates)].filter((instant) => wallClockAt(instant) === wall);
  if (found.length === 0 && (hasTime || use === 'deadline')) {
    const problem = `${text} does not exist in ${zone ?? localZone()}: clocks skip it`;
    throw fieldError(name, problem, { value: text });
  }
  const readings = found.map((instant) => withOffset(wall, wall - instant));
  if (readings.length > 1 && hasTime) throw refused(text, name, readings);
  // A day that starts with skipped hours starts after them.
  const [first = candidates[0] as number, last = first] = found;
  return { hasTime, instant: use === 'deadline' ? last : first };
}

/** `readings` has the possible meanings, in accepted forms. */
function refused(text: string, name: string, readings: readonly string[]): MarError {
  if (readings.length === 0) {
    const hint = `Accepted forms: ${dateForms}`;
    return fieldError(name, `${text} is not a valid date`, { hint, value: text });
  }
  const problem = readings.length > 1 ? `${text} has two readings` : `${text} is not accepted`;
  return fieldError(name, `${problem}: write ${readings.join(' or ')}`, { value: text });
}

/** The day that `01/12/2026` is with the day first, and with the month first. */
function numericDays(text: string): Record<DateOrder, number[]> {
  const [first, second, year = 0] = (numericForm.exec(text) ?? []).slice(1).map(Number);
  return { dmy: validDay(2000 + year, second, first), mdy: validDay(2000 + year, first, second) };
}

/** `1 Dec 2026`, from `Tue, 01 Dec 2026 00:00:00 GMT`. */
const dayName = (at: number) => new Date(at).toUTCString().slice(5, 16).replace(/^0/, '');

/** `2026-10-25T02:30+02:00` */
function withOffset(wall: number, offset: number): string {
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${new Date(wall).toISOString().slice(0, 16)}${offset < 0 ? '-' : '+'}${size}`;
}

/** The days that a form may mean, as if they were in UTC. None if there is no such day. */
function daysOf(form: Form, today: number, use: DateRules['use']): number[] {
  const { date, month = '', year, weekday, word, count, unit = '' } = form;
  if (count !== undefined) return [shifted(today, Number(count), unit.toLowerCase())];
  if (word !== undefined) return [today + (dayWords.indexOf(word.toLowerCase()) - 1) * day];
  const named = months.findIndex((name) => month.toLowerCase().startsWith(name.toLowerCase())) + 1;
  if (year !== undefined) return validDay(Number(year), named || Number(month), Number(date));
  const isMeant = (at: number) =>
    weekday === undefined
      ? dayName(at).startsWith(`${Number(date)} ${months[named - 1]} `)
      : new Date(at).toUTCString().slice(0, 3).toLowerCase() === weekday.slice(0, 3).toLowerCase();
  const [next, last] = [day, -day].map((step) => {
    // A 29 February may be eight years away.
    let at = today;
    while (!isMeant(at) && Math.abs(at - today) < 9 * 366 * day) at += step;
    return isMeant(at) ? [at] : [];
  }) as [number[], number[]];
  // On a Monday, `monday` is today for some people, and a week later for others.
  const isDoubtful = weekday !== undefined && next[0] === today && use !== 'start';
  if (isDoubtful) return [today, today + 7 * day];
  if (use === undefined) return [...new Set([...last, ...next])];
  return use === 'start' ? last : next;
}

/** `month` counts from 1. An early year, such as 0226, is a typo. */
function validDay(year: number, month = 0, date = 0): number[] {
  if (year < 1900) return [];
  const at = new Date(0).setUTCFullYear(year, month - 1, date);
  return new Date(at).getUTCMonth() === month - 1 ? [at] : [];
}

/** `9:00`, `18:00:30.5` or `18` in milliseconds. */
function timeOfDay(text: string): number | undefined {
  const padded = text.replace(/^\d(?=:)/, '0$&').replace(/^\d{2}$/, '$&:00');
  const time = Date.parse(`1970-01-01T${padded}Z`);
  return time < day ? time : undefined;
}

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: hour, d: day, w: 7 * day };

/** Months keep the day, or end at the last day of a shorter month. */
function shifted(wall: number, count: number, unit: string): number {
  const length = lengths[unit];
  if (length !== undefined) return wall + count * length;
  const date = new Date(wall);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === 'y' ? 12 : 1));
  if (date.getUTCDate() !== new Date(wall).getUTCDate()) date.setUTCDate(0);
  return date.getTime();
}

/** Units from a day on keep the time of day, even if clocks change. Invalid for times before 1970. */
function timeBefore(now: Date, count: number, unit: string): Date {
  if (/[mh]$/.test(unit)) return new Date(shifted(now.getTime(), -count, unit));
  const wall = shifted(wallClockOf()(now.getTime()), -count, unit);
  if (!(wall > day)) return new Date(Number.NaN);
  // Without its Z, it is local time.
  return new Date(new Date(wall).toISOString().slice(0, -1));
}

const lengthForm = /^(\d{1,6})(mo|[mhdwy])$/;

/** The start of a period: a time before now (`12h`, `7d`, `3mo`), or a date. */
export function readSince(text: string, now: Date): Date {
  if (isDateText(text)) {
    return new Date(readDateText(text, { name: '--since', now, use: 'start' }).instant);
  }
  const [, amount = '', unit = ''] = lengthForm.exec(text) ?? [];
  const date = timeBefore(now, Number(amount), unit);
  if (amount !== '' && date.getTime() >= 0) return date;
  throw usageError(
    `--since takes a duration such as 12h, 7d, 2w, 3mo or 1y, or a date such as 2026-11-01, 1 Nov, monday or yesterday, not "${text}"`,
  );
}

/** The milliseconds of `3d` from now on. */
export function readLength(text: string, name: string, now: Date): number {
  const [, amount = '', unit = ''] = lengthForm.exec(text) ?? [];
  const length = now.getTime() - timeBefore(now, Number(amount), unit).getTime();
  if (amount !== '' && length > 0) return length;
  throw usageError(`${name} takes a duration such as 12h, 3d or 2w, not "${text}"`);
}

/** Returns the wall-clock time of a zone at an instant, as if it were UTC. */
function wallClockOf(timeZone?: string) {
  // Swedish: 2026-12-01 18:00:00.
  const format = formatOf('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (instant: number) => {
    const milliseconds = ((instant % 1000) + 1000) % 1000;
    return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) + milliseconds;
  };
}

/** For a `TZ` that it does not know, Node uses UTC, and may name no zone. */
export const localZone = () => {
  const { timeZone = 'UTC' } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
};

/**
 * True for a name with a slash, and for UTC, in their own spelling. Abbreviations such as BST mean
 * different zones to different people, and Dhaka to Node.
 */
export function isZone(timeZone: string): boolean {
  if (timeZone === 'UTC') return true;
  if (!timeZone.includes('/') || orUndefined(() => wallClockOf(timeZone)) === undefined)
    return false;
  const known = zonesByName().get(timeZone.toLowerCase());
  // The list has one name for each zone. Others are spelled like it: Asia/Kolkata, US/Pacific.
  return (known ?? /^(?:[A-Z][a-z]+|US)\/[A-Z][a-z]|^Etc\//.exec(timeZone)?.input) === timeZone;
}

/**
 * Zones by their names, and by those of their cities, in lower case. Not by those of towns within a
 * region: San Juan is also in Puerto Rico, and not only in America/Argentina/San_Juan.
 */
const zonesByName = lazily(() => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  const cityOf = (zone: string) => zone.replace(/^\w+\/([^/]+)$/, '$1');
  return new Map(
    zones.flatMap((zone) => [zone, cityOf(zone)].map((name) => [name.toLowerCase(), zone])),
  );
});

const lowerCase = (place: string) => place.trim().toLowerCase().replaceAll(' ', '_');

/** The zone with this name, or the one of this city: `Europe/Berlin` for `Berlin`. */
export function readZone(text: string, name: string): string {
  if (isZone(text)) return text;
  if (text.includes('/')) throw zoneError(text, name);
  const known = zonesByName().get(lowerCase(text));
  if (known !== undefined) return known;
  // The list has one name for each zone. Others, such as Asia/Kolkata, are found by trying.
  const areas = new Set([...zonesByName().values()].map((zone) => zone.replace(/\/.*/, '')));
  const place = lowerCase(text).replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  const other = [...areas].map((area) => `${area}/${place}`).find(isZone);
  if (other === undefined) throw zoneError(text, name);
  return other;
}

export function zoneError(text: string, name: string): MarError {
  const wanted = lowerCase(text);
  const zones = zonesByName();
  const meant = zones.get(nearest(wanted, [...zones.keys()], 1) ?? '');
  return usageError(
    `${name}: unknown time zone "${text}"${meant ? ` (did you mean "${meant}"?)` : ''}`,
    'Use a time zone such as Europe/Paris, its city, or a time with an offset: 2026-12-01T18:00+01:00',
    { ...nameFacts(name), value: text, suggestion: meant },
  );
}
