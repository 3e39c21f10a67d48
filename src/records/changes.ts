import { valueAt } from '../json/fields.ts';
import type { Clock } from '../values/time.ts';
import { sortedHistory } from './lateness.ts';
import { safeText } from './look.ts';
import { partyOf } from './waitsFor.ts';

export interface StatusChange {
  /** In ISO 8601. */
  at: string;
  by: string | null;
  /** Null for the first status. */
  from: string | null;
  to: string;
  reason: string;
}

/** The changes of status in a record's own history since a time, the oldest first. */
export function changesSince(record: unknown, since: Date, clock: Clock): StatusChange[] {
  const entries = sortedHistory(record, clock);
  const statuses = entries.map((entry) => safeText(valueAt(entry, 'status')));
  return entries.flatMap((entry, index): StatusChange[] => {
    const date = clock.date(valueAt(entry, 'date'));
    const from = statuses[index - 1] ?? null;
    const to = statuses[index] ?? '';
    if (!date || date < since || date > clock.now || from === to) return [];
    const { name, id } = partyOf(valueAt(entry, 'user'));
    const reason = safeText(valueAt(entry, 'reason'));
    return [{ at: date.toISOString(), by: name || id || null, from, to, reason }];
  });
}
