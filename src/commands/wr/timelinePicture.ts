import type { Json } from '../../json/value.ts';
import { bar } from '../../terminal/bars.ts';
import { renderCard, unbroken } from '../../terminal/card.ts';
import { cellText } from '../../terminal/cell.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { railRoom, renderClosing, renderRail } from '../../terminal/rail.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { Style } from '../../terminal/style.ts';
import { formatDate, formatSpan } from '../../terminal/time.ts';
import { displayWidth, pad, truncate } from '../../terminal/width.ts';
import { nameOf } from '../views/reading.ts';
import type { Step } from './timeline.ts';

interface Place {
  width: number;
  style: Style;
}

const gap = '  ';
/** A shorter bar tells nothing, a longer one no more. */
const shortestBar = 6;
const longestBar = 40;

/** Where a work request has been, for how long, and who took it on from there. */
export function drawTimeline(record: Json, steps: readonly Step[], place: Place): string[] {
  const heads = headsOf(steps, place);
  const stops = steps.map((step, index) => ({
    isPresent: step.isPresent,
    head: heads[index] ?? '',
    lines: [whenAndWho(step), cellText(valueAt(step.entry, 'reason'))],
  }));
  const rail = renderRail(stops, place.width, place.style);
  return [
    ...title(record, place),
    ...(rail.length > 0 ? ['', ...rail] : []),
    ...renderClosing(closingLines(record, steps), place.width, place.style),
  ];
}

function title(record: Json, { width, style }: Place): string[] {
  const facts = [
    nameOf(record, 'asset'),
    valueAt(record, 'language'),
    valueAt(record, 'territory'),
  ];
  const status = cellText(valueAt(record, 'status'));
  return renderCard(
    {
      title: `Work request ${cellText(valueAt(record, '_id'))}`.trim(),
      subtitle: facts
        .map(cellText)
        .filter((fact) => fact !== '')
        .join(', '),
      badge: { text: status, paint: paintStatus },
      sections: [],
    },
    width,
    style,
  );
}

/** Status, span and a bar for each step, in columns. */
function headsOf(steps: readonly Step[], { width, style }: Place): string[] {
  const room = railRoom(width);
  const spans = steps.map(spanOf);
  const spanWidth = Math.max(0, ...spans.map(displayWidth));
  const statuses = steps.map(({ status }) => sanitise(status) || '(no status)');
  const widest = Math.max(0, ...statuses.map(displayWidth));
  const statusWidth = Math.min(widest, Math.max(6, room - spanWidth - gap.length));
  const left = room - statusWidth - spanWidth - 2 * gap.length;
  const longest = Math.max(1, ...steps.map(spent));
  return steps.map((step, index) => {
    const status = pad(truncate(statuses[index] ?? '', statusWidth), statusWidth, 'left');
    const span = pad(spans[index] ?? '', spanWidth, 'left');
    const share = left < shortestBar ? 0 : spent(step) / longest;
    const drawn = style.cyan(bar(share, Math.min(left, longestBar)));
    return [paintStatus(status, style), span, drawn].join(gap).trimEnd();
  });
}

const spent = ({ durationMs = 0, isSettled }: Step): number => (isSettled ? 0 : durationMs);

function spanOf({ durationMs, isPresent, isSettled }: Step): string {
  if (durationMs === undefined) return '';
  const span = durationMs < 1000 ? 'a moment' : formatSpan(durationMs);
  if (isSettled) return `${span} ago`;
  return isPresent ? `${span} so far` : span;
}

function whenAndWho({ entry, began }: Step): string {
  const when = began ? formatDate(began) : cellText(valueAt(entry, 'date'));
  const name = cellText(nameOf(entry, 'user'));
  const groups = cellText(valueAt(entry, 'user.groups'));
  const who = groups === '' ? name : `${name} (${groups})`;
  return [when, who].filter((part) => part !== '').join(', ');
}

/** The time in all and where it went; and what the history does not tell. */
function closingLines(record: Json, steps: readonly Step[]): string[] {
  const lines: string[] = [];
  const byStatus = new Map<string, number>();
  for (const step of steps) {
    if (spent(step) > 0) {
      byStatus.set(step.status, (byStatus.get(step.status) ?? 0) + spent(step));
    }
  }
  const parts = [...byStatus].sort(([, a], [, b]) => b - a);
  if (parts.length > 1) {
    const total = parts.reduce((sum, [, length]) => sum + length, 0);
    const each = parts.map(([status, length]) => `${status} ${unbroken(formatSpan(length))}`);
    lines.push(`${formatSpan(total)} in all: ${each.join(', ')}`);
  }
  const status = cellText(valueAt(record, 'status'));
  const last = steps.at(-1);
  if (last && !last.isPresent) {
    lines.push(`It is ${status} now; since when, the history does not tell.`);
  }
  return lines;
}
