import { endpoints } from '../../../../core/api/endpoints.ts';
import type { Command } from '../../../../core/commands/command.ts';
import { nameOf } from '../../../../core/commands/viewParts.ts';
import { valueAt } from '../../../../core/json/fields.ts';
import { recordWith } from '../../../../core/json/serviceRecord.ts';
import type { Json } from '../../../../core/json/value.ts';
import { unbroken } from '../../../../core/output/card.ts';
import { type Canvas, listResult } from '../../../../core/output/result.ts';
import {
  renderTimeline,
  type TimelineStop,
  timelineWidth,
} from '../../../../core/output/timeline.ts';
import type { Column } from '../../../../core/output/viewType.ts';
import {
  deadlineOf,
  paintTimeLeft,
  presentEntry,
  sortedHistory,
  timeLeft,
} from '../../../../core/records/lateness.ts';
import { meaningOf, type ServiceClock } from '../../../../core/records/status.ts';
import { remember } from '../../../../core/session/remember.ts';
import { cellText } from '../../../../core/values/cell.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';
import { formatDate, formatSpan } from '../../../../core/values/time.ts';
import { displayWidth, pad, truncate } from '../../../../core/values/width.ts';

const columns: readonly Column[] = [
  { title: 'Began', path: 'began', kind: 'id' },
  { title: 'Status', path: 'status', kind: 'status', importance: 3 },
  { title: 'Duration (ms)', path: 'durationMs', kind: 'number' },
  { title: 'Who', path: 'user.name', importance: 2 },
  {
    title: 'Groups',
    path: 'user.groups',
    importance: 1,
    read: (step) => cellText(valueAt(step, 'user.groups')),
  },
  { title: 'Reason', path: 'reason', importance: 1 },
];

export const command: Command = {
  isPaged: true,
  summary: 'Show the status history of a work request',
  details:
    'On a terminal, this is a timeline. In a pipe or a file it is a list of the history entries, oldest first, each ' +
    'with began, ended, durationMs (for the current entry: until now) and isPresent (true for the current entry).',
  arguments: [{ name: 'id', summary: 'work request id', completes: { idOf: 'WorkRequest' } }],
  examples: {
    'Show a timeline': 'mar wr history wr-2001',
    'Add up the hours it waited for materials':
      'mar wr history wr-2001 --jq-slurp \'map(select(.status == "awaiting-materials").durationMs) | add / 3600000\'',
  },
  async *run(context, input) {
    const [id = ''] = input.arguments;
    const { clock } = context.session;
    const client = await context.session.client();
    const record = await client.call(endpoints.workRequestGet, { id });
    const steps = timelineOf(record.tree, clock);
    const drawing = (canvas: Canvas) => drawTimeline(record.tree, steps, canvas);
    yield listResult([steps.map(stepRecord)], { columns }, { drawing });
    if (steps.length === 0) context.reporter.reportAtEnd(`Work request ${id} has no history`);
    await remember(context.session, 'WorkRequest', [{ id, record }]);
  },
};

type TimelineStep = ReturnType<typeof timelineOf>[number];

function timelineOf(record: Json, { now, date, service }: ServiceClock) {
  const entries = sortedHistory(record, { date }) as Json[];
  const current = cellText(valueAt(record, 'status'));
  const dates = entries.map((entry) => date(valueAt(entry, 'date')));
  // Without all dates, entries are in the order of the service, which may be any.
  const isOrdered = !dates.includes(undefined);
  return entries.map((entry, index) => {
    const status = cellText(valueAt(entry, 'status'));
    const isLast = index === entries.length - 1;
    // The last entry, if the record still has its status.
    const isPresent = isLast && (current === '' || current === status);
    const began = dates[index];
    const ended = isOrdered ? dates[index + 1] : undefined;
    const until = isPresent && isOrdered ? now : ended;
    const durationMs = began && until && Math.max(0, until.getTime() - began.getTime());
    // The present status is final, so no time is spent in it.
    const isOver = isPresent && meaningOf(status, service()).isSettled;
    const spentMs = isOver ? 0 : (durationMs ?? 0);
    return { entry, status, began, ended, durationMs, spentMs, isPresent, isSettled: isOver };
  });
}

function stepRecord({ entry, isPresent, ...step }: TimelineStep) {
  const { began = null, ended = null, durationMs = null } = step;
  return recordWith(entry, 'entry', { began, ended, durationMs, isPresent });
}

function drawTimeline(record: Json, steps: readonly TimelineStep[], canvas: Canvas): string[] {
  const { columns: width, style, tools } = canvas;
  const heads = headsOf(steps, canvas);
  const stops = steps.map((step, index): TimelineStop => {
    const lines = [whenAndWho(step), cellText(valueAt(step.entry, 'reason'))];
    return { isPresent: step.isPresent, head: heads[index] ?? '', lines };
  });
  const due = tools.date(deadlineOf(record, 'due'));
  if (due) {
    const words = truncate(dueWords(record, due, tools), timelineWidth(width) - 5);
    const next = steps.findIndex(({ began }) => began && began > due);
    stops.splice(next < 0 ? steps.length : next, 0, {
      isPresent: false,
      isMark: true,
      head: `due${words && ': '}${paintTimeLeft(words, style, record, tools)}`,
      lines: [formatDate(due, valueAt(record, 'due.tz'))],
    });
  }
  const textOf = (path: string) => cellText(valueAt(record, path));
  const facts = [cellText(nameOf(record, 'asset')), textOf('language'), textOf('territory')];
  const title = {
    title: `Work request ${textOf('_id')}`.trim(),
    subtitle: facts.filter(Boolean).join(', '),
    badge: { text: textOf('status'), paint: tools.paintStatus },
    sections: [],
  };
  return renderTimeline({ title, stops, closing: closingLines(record, steps) }, width, style);
}

/** `overdue 5 d 3 h`, `2 d left`; for a request that is done, how early or late that was. */
function dueWords(record: Json, due: Date, clock: ServiceClock): string {
  const status = cellText(valueAt(record, 'status'));
  const { meaning, isSettled } = meaningOf(status, clock.service());
  if (!isSettled) return timeLeft(record, clock, { isExact: true });
  const settled = clock.date(valueAt(presentEntry(record, clock), 'date'));
  if (!settled || meaning !== 'done') return '';
  const early = due.getTime() - settled.getTime();
  return `done ${formatSpan(Math.abs(early))} ${early < 0 ? 'late' : 'early'}`;
}

function headsOf(
  steps: readonly TimelineStep[],
  { columns: width, style, tools }: Canvas,
): string[] {
  const available = timelineWidth(width);
  const spans = steps.map(spanOf);
  const spanWidth = Math.max(0, ...spans.map(displayWidth));
  const statuses = steps.map(({ status }) => sanitise(status) || '(no status)');
  const widest = Math.max(0, ...statuses.map(displayWidth));
  const statusWidth = Math.min(widest, Math.max(6, available - spanWidth - 2));
  return statuses.map((text, index) => {
    const span = spans[index] ?? '';
    if (style.isAccessible) return span ? `${text}, ${span}` : text;
    const status = pad(truncate(text, statusWidth), statusWidth, 'left');
    const painted = status.replace(text, () => tools.paintStatus(text, style));
    return `${painted}  ${span}`.trimEnd();
  });
}

function spanOf({ durationMs, isPresent, isSettled }: TimelineStep): string {
  if (durationMs === undefined) return '';
  const span = durationMs < 1000 ? 'a moment' : formatSpan(durationMs);
  if (isSettled) return `${span} ago`;
  return isPresent ? `${span} so far` : span;
}

function whenAndWho({ entry, began }: TimelineStep): string {
  const when = began ? formatDate(began) : cellText(valueAt(entry, 'date'));
  const name = cellText(nameOf(entry, 'user'));
  const groups = cellText(valueAt(entry, 'user.groups'));
  const who = groups === '' ? name : `${name} (${groups})`;
  return [when, who].filter((part) => part !== '').join(', ');
}

function closingLines(record: Json, steps: readonly TimelineStep[]): string[] {
  const lines: string[] = [];
  const byStatus = new Map<string, number>();
  for (const { status, spentMs } of steps.filter((step) => step.spentMs > 0)) {
    byStatus.set(status, (byStatus.get(status) ?? 0) + spentMs);
  }
  const parts = [...byStatus].sort(([, a], [, b]) => b - a);
  if (parts.length > 1) {
    const total = parts.reduce((sum, [, length]) => sum + length, 0);
    const each = parts.map(([status, length]) => `${status} ${unbroken(formatSpan(length))}`);
    lines.push(`${formatSpan(total)} in total: ${each.join(', ')}`);
  }
  if (steps.at(-1)?.isPresent === false) {
    const status = cellText(valueAt(record, 'status'));
    lines.push(`The status is now ${status}, but the history has no entry for it.`);
  }
  return lines;
}
