import { type CardText, unbroken } from '../../terminal/card.ts';
import { fieldsOf } from '../../terminal/fields.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { isSettled } from '../../terminal/status.ts';
import type { Style } from '../../terminal/style.ts';
import { formatDate, formatRelative, formatSpan } from '../../terminal/time.ts';
import type { CardTools } from '../../terminal/view.ts';

const day = 24 * 60 * 60 * 1000;

/** When something is due, in the zone that the record names, and how long is left until then. */
export const deadline =
  (path: string) =>
  (record: unknown, show: CardTools): CardText => {
    const value = valueAt(record, path);
    const at = fieldsOf(value) === undefined ? value : valueAt(value, 'date');
    const zone = valueAt(value, 'tz');
    const date = show.date(at);
    if (!date) return [show.cell(at), show.cell(zone)].filter((part) => part !== '').join(' ');
    const isOver = isSettled(show.cell(valueAt(record, 'status')));
    const text = formatDate(date, typeof zone === 'string' && zone !== '' ? zone : undefined);
    const left = isOver ? formatRelative(date, show.now) : timeLeft(date, show.now);
    const unknown = zoneUnknown(text, show.cell(zone));
    return {
      text: `${text} (${unbroken(left)}${unknown})`,
      paint: isOver ? undefined : urgency(date.getTime() - show.now.getTime()),
    };
  };

function timeLeft(date: Date, now: Date): string {
  const left = date.getTime() - now.getTime();
  return left < 0 ? `overdue by ${formatSpan(-left)}` : `${formatSpan(left)} left`;
}

/** The date is then in UTC, and the reader should know that another zone was meant. */
const zoneUnknown = (date: string, zone: string) =>
  zone === '' || date.endsWith(` ${zone}`) ? '' : `; the zone ${zone} is not known here`;

function urgency(left: number): ((text: string, style: Style) => string) | undefined {
  if (left < 0) return (text, style) => style.red(text);
  return left < day ? (text, style) => style.yellow(text) : undefined;
}
