import type { Service } from '../api/service.ts';
import { valueAt } from '../json/fields.ts';
import { cellText } from '../values/cell.ts';
import { sanitise } from '../values/sanitise.ts';
import { formatDate } from '../values/time.ts';
import { deadlineOf } from './lateness.ts';
import { orderOf } from './orderIdentity.ts';

export type Look = ReturnType<typeof lookOf>;

const maxReasonLength = 200;

export const safeText = (value: unknown) => sanitise(cellText(value)).trim();

/** The fields of a work request whose changes `today` shows, as they are now. */
export const lookOf = (
  record: unknown,
  date: (value: unknown) => Date | undefined,
  service: Service,
) => ({
  status: safeText(valueAt(record, 'status')),
  reason: safeText(valueAt(record, 'reason')).slice(0, maxReasonLength),
  due: date(deadlineOf(record, 'due'))?.toISOString(),
  /** The fields by which the same order is recognised. */
  order: orderOf(record, service),
});

/** The fields that differ, in words for people; an empty one is `none`. */
export const changesBetween = (before: Look, after: Look) =>
  (['status', 'due', 'reason'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: words(before, field), after: words(after, field) }));

const words = (look: Look, field: 'status' | 'due' | 'reason'): string =>
  field === 'due' && look.due ? formatDate(new Date(look.due)) : look[field] || 'none';

type LookChange = ReturnType<typeof changesBetween>[number];

/** A reason that is gone is not worth a line if the status has changed as well. */
export const describeChanges = (changes: readonly LookChange[]): string =>
  changes
    .filter(({ field, after }) => changes.length === 1 || field !== 'reason' || after !== 'none')
    .map(({ field, before, after }) => `${field} ${before} → ${after}`)
    .join(', ');
