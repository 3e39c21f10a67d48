import type { Service } from '../api/service.ts';
import { type Hint, onCommandLine, type Refusal } from '../errors.ts';
import { fieldsOf, pathReader, valueAt } from '../json/fields.ts';
import { isObject, type Json, type JsonObject, printJson } from '../json/value.ts';
import { cellText } from '../values/cell.ts';
import { type Clock, formatDate, formatRelative, formatSpan, longestSpan } from '../values/time.ts';
import { type Colours, meaningOf, type ServiceClock } from './status.ts';

const statusAt = pathReader('status');
const dateAt = pathReader('date');
const historyAt = pathReader('history');

const statusOf = (record: unknown) => cellText(statusAt(record));

/** History entries by date, or in the order of the service if a date cannot be read. */
export function sortedHistory(record: unknown, { date }: Pick<Clock, 'date'>): unknown[] {
  const entries = historyAt(record);
  if (!Array.isArray(entries)) return [];
  const dated = entries.map((entry) => ({ entry, date: date(dateAt(entry)) }));
  if (dated.some(({ date }) => date === undefined)) return entries;
  return dated.sort((a, b) => Number(a.date) - Number(b.date)).map(({ entry }) => entry);
}

/** The history entry with which the present status began, assuming that the entry of a status is made at its start. */
export function presentEntry(record: unknown, clock: Pick<Clock, 'date'>): unknown {
  const status = statusOf(record);
  if (status === '') return undefined;
  const entries = sortedHistory(record, clock);
  const isOther = (entry: unknown) => statusOf(entry) !== status;
  return entries.at(entries.findLastIndex(isOther) + 1);
}

/** The time of a deadline: `{date, tz}`, or a plain time. */
export const deadlineOf = (record: unknown, path: string): unknown => {
  const value = valueAt(record, path);
  return fieldsOf(value) === undefined ? value : dateAt(value);
};

const dayMs = 24 * 60 * 60 * 1000;

/** Takes the milliseconds until the deadline, or null if there is none or no further step follows. */
export const isLate = (leftMs: number | null): boolean => leftMs !== null && leftMs < 0;

/** Due within 24 hours. */
export const isDueSoon = (leftMs: number | null): boolean =>
  leftMs !== null && leftMs >= 0 && leftMs < dayMs;

/**
 * The words for a deadline of a work request: `overdue 5 d`, `3 h left`, or `done 20 d ago` if no
 * further step follows. Empty if there is no deadline. After one of a unit, the next: `1 d 23 h left`.
 */
export function timeLeft(record: unknown, clock: ServiceClock, { path = 'due' } = {}): string {
  const { now } = clock;
  const { meaning, isSettled } = meaningOf(statusOf(record), clock.service());
  if (isSettled) {
    const settled = clock.date(dateAt(presentEntry(record, clock)));
    return settled ? `${meaning} ${formatRelative(settled, now)}` : meaning;
  }
  const due = clock.date(deadlineOf(record, path));
  if (!due) return '';
  const ms = due.getTime() - now.getTime();
  const exact = formatSpan(Math.abs(ms));
  const span = exact.startsWith('1 ') ? exact : longestSpan(Math.abs(ms));
  return isLate(ms) ? `overdue ${span}` : `${span} left`;
}

/** All that a record says about time, for readers without a clock: `overdue 5 d; blocked for 3 d; created 20 d ago`. */
export function timeWords(record: unknown, clock: ServiceClock): string {
  const since = clock.date(dateAt(presentEntry(record, clock)));
  const created = clock.date(valueAt(record, 'created') ?? dateAt(record));
  const parts = [
    timeLeft(record, clock),
    since && `${statusOf(record)} for ${longestSpan(clock.now.getTime() - since.getTime())}`,
    created && `created ${formatRelative(created, clock.now)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** The colour of a deadline: red if it is late, yellow on its last day, green if the work is done. */
export function timeLeftColour(
  record: unknown,
  clock: ServiceClock,
  path = 'due',
): 'red' | 'yellow' | 'green' | undefined {
  const { meaning, isSettled } = meaningOf(statusOf(record), clock.service());
  if (isSettled) return meaning === 'done' ? 'green' : undefined;
  const due = clock.date(deadlineOf(record, path));
  const leftMs = due ? due.getTime() - clock.now.getTime() : null;
  if (isLate(leftMs)) return 'red';
  return isDueSoon(leftMs) ? 'yellow' : undefined;
}

export function paintTimeLeft(
  words: string,
  style: Colours,
  record: unknown,
  clock: ServiceClock,
): string {
  const colour = timeLeftColour(record, clock);
  return colour ? style[colour](words) : words;
}

/** The date of a deadline such as `due`, if it is before now. */
export function pastDate(deadline: Json | undefined, { now, date }: Clock): Date | undefined {
  const time = isObject(deadline) ? date(deadline.get('date')) : undefined;
  return time && time < now ? time : undefined;
}

const maxYearsAhead = 3;

/** The deadlines of a new work request that nobody can have meant, unless the service is known to take them. */
export function deadlineProblems(record: JsonObject, clock: Clock, service: Service): Refusal[] {
  const latest = new Date(clock.now);
  latest.setFullYear(latest.getFullYear() + maxYearsAhead);
  const problems: Refusal[] = [];
  const report = (field: string, problem: string, item?: string, hint?: Hint) => {
    if (item && service.value('order', item) === 'ok') return;
    const rests = item ? { key: `order.${item}`, value: 'ok' } : 'mistake';
    problems.push({ field, message: `${field} ${problem}`, hint, rests });
  };
  const [due, delivery] = ['due', 'deliveryDeadline'].map((name) => {
    const field = `${name}.date`;
    const value = valueAt(record, field) as Json | undefined;
    if (value === undefined || value === null) return undefined;
    const date = clock.date(value);
    const shown = date && formatDate(date, valueAt(record, `${name}.tz`));
    if (!date) {
      report(field, `is not a time: ${printJson(value)}; write a date, such as 2026-12-20 or +14d`);
    } else if (date < clock.now) {
      report(field, `is in the past: ${shown}; choose a later date, such as +14d`, 'due-past');
    } else if (date > latest) {
      const problem = `is more than ${maxYearsAhead} years away: ${shown}; choose an earlier date`;
      report(field, problem, 'due-far');
    }
    return date && { date, shown };
  });
  if (problems.length === 0 && due && delivery && delivery.date < due.date) {
    const problem = `is before the due date: ${delivery.shown}; set a later one, or none`;
    const hint = onCommandLine(
      'For a later one, use --set deliveryDeadline.date=DATE. To remove it, use --unset deliveryDeadline.',
    );
    report('deliveryDeadline.date', problem, 'delivery-first', hint);
  }
  return problems;
}
