import { valueAt } from '../json/fields.ts';
import { type Clock, formatDate } from '../values/time.ts';

/* The API documents the fields of an embargo, `end` and `event`, and not what they mean. */

export type Embargo = ReturnType<typeof embargoOf>;

/** The embargo of a file, also one that is over. Without an end, it lasts until an event. */
export function embargoOf(file: unknown, { date }: Pick<Clock, 'date'>) {
  const field = valueAt(file, 'embargo');
  const end = date(valueAt(field, 'end'));
  return end || valueAt(field, 'event') === true ? { end, field } : undefined;
}

export const isUnderEmbargo = (embargo: Embargo, at: Date): boolean =>
  embargo !== undefined && (embargo.end === undefined || at < embargo.end);

/** `2026-12-02 18:00 CET` */
export function embargoEnd(record: unknown, clock: Clock): string {
  const embargo = embargoOf(record, clock);
  return embargo?.end ? formatDate(embargo.end) : embargo ? 'at an event' : '';
}
