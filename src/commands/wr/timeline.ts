import { fromPlain, isObject, type Json, type JsonObject } from '../../json/value.ts';
import { cellText } from '../../terminal/cell.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { isSettled } from '../../terminal/status.ts';
import { readTime, type TimeUnit } from '../../terminal/time.ts';
import { stepsOf } from '../views/history.ts';

/** One entry of a history, and for how long it held. */
export interface Step {
  entry: Json;
  status: string;
  /** Where its date can be read. */
  began?: Date;
  /** Not of the last one: what came after it is not known. */
  ended?: Date;
  /** Until the next entry; of the present one, until now. */
  durationMs?: number;
  /** Whether it is the last, and the record still has its status. */
  isPresent: boolean;
  /** Whether nothing more is to come after it: its time is not spent on anything. */
  isSettled: boolean;
}

/** The history of a work request, the latest last. */
export function timelineOf(record: Json, unit: TimeUnit, now: Date): Step[] {
  const date = (value: unknown) => readTime(value, unit);
  const entries = stepsOf(record, { date }) as Json[];
  const current = cellText(valueAt(record, 'status'));
  const dates = entries.map((entry) => date(valueAt(entry, 'date')));
  // Entries that are not all dated are in the order of the service, which may be any.
  const isOrdered = !dates.includes(undefined);
  return entries.map((entry, index) => {
    const status = cellText(valueAt(entry, 'status'));
    const isLast = index === entries.length - 1;
    const isPresent = isLast && (current === '' || current === status);
    const began = dates[index];
    const ended = isOrdered ? dates[index + 1] : undefined;
    const until = isPresent && isOrdered ? now : ended;
    const durationMs = began && until && Math.max(0, until.getTime() - began.getTime());
    return {
      entry,
      status,
      began,
      ended,
      durationMs,
      isPresent,
      isSettled: isPresent && isSettled(status),
    };
  });
}

/** A step for programs: the entry as the service has it, and what was made of its date. */
export function stepRecord({ entry, began, ended, durationMs, isPresent }: Step): JsonObject {
  const own: JsonObject = isObject(entry) ? entry : new Map([['entry', entry]]);
  const made = {
    began: began?.toISOString() ?? null,
    ended: ended?.toISOString() ?? null,
    durationMs: durationMs ?? null,
    isPresent,
  };
  return new Map([...own, ...(fromPlain(made) as JsonObject)]);
}
