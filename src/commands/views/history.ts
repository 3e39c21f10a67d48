import type { CardSection } from '../../terminal/card.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { CardTools } from '../../terminal/view.ts';
import { dateOf, items, nameOf, strayList } from './reading.ts';

/** A longer history would push all else off the screen. */
const mostShown = 20;

/** What happened, the latest last. Where a date cannot be read, the service's order is kept. */
export function stepsOf(record: unknown, show: Pick<CardTools, 'date'>): unknown[] {
  const entries = items(record, 'history');
  const dated = entries.map((entry) => ({ entry, date: show.date(valueAt(entry, 'date')) }));
  if (dated.some(({ date }) => date === undefined)) return entries;
  return dated
    .sort((a, b) => (a.date?.getTime() ?? 0) - (b.date?.getTime() ?? 0))
    .map(({ entry }) => entry);
}

/** Since when it has its status, and by whom; nothing when the history does not tell. */
export function since(record: unknown, show: CardTools): string {
  const status = show.cell(valueAt(record, 'status'));
  const steps = stepsOf(record, show);
  const isOther = (step: unknown) => show.cell(valueAt(step, 'status')) !== status;
  const first = steps.at(steps.findLastIndex(isOther) + 1);
  // None follows when the last entry has another status.
  if (status === '' || first === undefined) return '';
  const who = show.cell(nameOf(first, 'user'));
  const date = show.time(valueAt(first, 'date'));
  return date === '' || who === '' ? date : `${date}, by ${who}`;
}

export function historySection(record: unknown, show: CardTools): CardSection {
  const steps = stepsOf(record, show);
  const earlier = steps.length - mostShown;
  return {
    heading: 'History',
    rows: strayList(record, 'history', 'Entries', show),
    lines: earlier > 0 ? [`${earlier} earlier entries are left out; --json has them`] : [],
    table: {
      columns: [
        { title: 'When', fixed: true },
        { title: 'Status', importance: 3, whole: true, paint: paintStatus },
        { title: 'Who', importance: 1, wraps: true },
        { title: 'Reason', importance: 1, wraps: true },
      ],
      rows: steps
        .slice(-mostShown)
        .map((entry) => [
          dateOf(entry, 'date', show),
          show.cell(valueAt(entry, 'status')),
          show.cell(nameOf(entry, 'user')),
          show.cell(valueAt(entry, 'reason')),
        ]),
    },
  };
}
