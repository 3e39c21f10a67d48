import type { Resource } from '../api/endpoints.ts';
import { valueAt } from '../json/fields.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { type Clock, formatDate } from '../values/time.ts';

/** The date of a deadline such as `due`, if it is before now. */
export function pastDate(deadline: Json | undefined, { now, date }: Clock): Date | undefined {
  const time = isObject(deadline) ? date(deadline.get('date')) : undefined;
  return time && time < now ? time : undefined;
}

/** The problem with a new work request that nobody can deliver in time. */
export function dueDateProblems(resource: Resource, record: JsonObject, clock: Clock) {
  const due = record.get('due');
  const date = resource === 'WorkRequest' ? pastDate(due, clock) : undefined;
  if (!date) return [];
  const shown = formatDate(date, valueAt(due, 'tz'));
  const message = `due.date is in the past: ${shown}; choose a later date, such as +14d`;
  return [{ field: 'due.date', message }];
}
