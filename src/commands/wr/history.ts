import { endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { valueAt } from '../../json/fields.ts';
import { fromPlain, isObject, type Json, type JsonObject } from '../../json/value.ts';
import { isSettled, paintStatus } from '../../records/status.ts';
import { bar } from '../../terminal/barChart.ts';
import { type CardSection, renderCard, unbroken } from '../../terminal/card.ts';
import { cellText } from '../../terminal/columns.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../../terminal/style.ts';
import { formatDate, formatSpan, readTime, type TimeUnit } from '../../terminal/time.ts';
import { renderFooter, renderTimeline, timelineWidth } from '../../terminal/timeline.ts';
import type { CardTools, Column } from '../../terminal/view.ts';
import { displayWidth, pad, truncate } from '../../terminal/width.ts';
import type { Input } from '../command.ts';
import { printParts } from '../read/printDerived.ts';
import { dateOf, items, nameOf, strayList } from '../read/readingValues.ts';
import { remember } from '../read/remember.ts';

const columns: readonly Column[] = [
  { title: 'Began', path: 'began', kind: 'id' },
  { title: 'Status', path: 'status', kind: 'status', importance: 3 },
  { title: 'Duration (ms)', path: 'durationMs', kind: 'number' },
  { title: 'Who', path: 'user.name', importance: 2 },
  { title: 'Groups', path: 'user.groups', importance: 1 },
  { title: 'Reason', path: 'reason', importance: 1 },
];

/** The history of a work request: a timeline for people, its entries with durations for programs. */
export async function history(context: Context, input: Input): Promise<void> {
  const [id = ''] = input.arguments;
  const client = await context.client();
  const endpoint = endpoints.workRequestGet;
  const answer = await client.call(endpoint, { id });
  const record = answer.tree;
  const steps = timelineOf(record, context.settings.timeUnit ?? 'auto', context.world.now());
  const { printer, streams, style } = context;
  if (printer.isForPeople && !context.flags.columns) {
    const lines = drawTimeline(record, steps, { width: streams.stdout.columns, style });
    await streams.stdout.write(`${lines.join('\n')}\n`);
  } else {
    await printParts(context, steps.map(stepRecord), columns);
  }
  if (steps.length === 0) context.closingNote(`the work request ${id} has no history`);
  await remember(context, endpoint.resource, [{ id, record: answer }]);
}

/** One entry of a history, and for how long it held. */
interface Step {
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
function timelineOf(record: Json, unit: TimeUnit, now: Date): Step[] {
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
function stepRecord({ entry, began, ended, durationMs, isPresent }: Step): JsonObject {
  const own: JsonObject = isObject(entry) ? entry : new Map([['entry', entry]]);
  const made = {
    began: began?.toISOString() ?? null,
    ended: ended?.toISOString() ?? null,
    durationMs: durationMs ?? null,
    isPresent,
  };
  return new Map([...own, ...(fromPlain(made) as JsonObject)]);
}

interface Place {
  width: number;
  style: Style;
}

const gap = '  ';
/** A shorter bar tells nothing, a longer one no more. */
const shortestBar = 6;
const longestBar = 40;

/** Where a work request has been, for how long, and who took it on from there. */
function drawTimeline(record: Json, steps: readonly Step[], place: Place): string[] {
  const heads = headsOf(steps, place);
  const stops = steps.map((step, index) => ({
    isPresent: step.isPresent,
    head: heads[index] ?? '',
    lines: [whenAndWho(step), cellText(valueAt(step.entry, 'reason'))],
  }));
  const rail = renderTimeline(stops, place.width, place.style);
  return [
    ...title(record, place),
    ...(rail.length > 0 ? ['', ...rail] : []),
    ...renderFooter(closingLines(record, steps), place.width, place.style),
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
  const room = timelineWidth(width);
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

/** A longer history would push all else off the screen. */
const mostShown = 20;

/** What happened, the latest last. Where a date cannot be read, the service's order is kept. */
function stepsOf(record: unknown, show: Pick<CardTools, 'date'>): unknown[] {
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
