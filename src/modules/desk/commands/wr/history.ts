import type { Command } from '../../../../core/commands/command.ts';
import { knownFields, nameOf } from '../../../../core/commands/viewParts.ts';
import { MarError } from '../../../../core/errors.ts';
import { missingArgument } from '../../../../core/input.ts';
import { valueAt } from '../../../../core/json/fields.ts';
import { recordWith } from '../../../../core/json/serviceRecord.ts';
import type { Json } from '../../../../core/json/value.ts';
import { listResult } from '../../../../core/output/result.ts';
import type { Column, KnownFields } from '../../../../core/output/viewType.ts';
import { distinctIds, fromOption, idsArgument } from '../../../../core/reads/getRecords.ts';
import { offerId } from '../../../../core/reads/ids.ts';
import { readWorkRequests } from '../../../../core/reads/workRequests.ts';
import { deadlineOf, sortedHistory, timeLeft } from '../../../../core/records/lateness.ts';
import { meaningOf, type ServiceClock } from '../../../../core/records/status.ts';
import type { Context } from '../../../../core/session/context.ts';
import { remember } from '../../../../core/session/remember.ts';
import { cellText } from '../../../../core/values/cell.ts';
import { sanitise } from '../../../../core/values/sanitise.ts';
import { day, formatDate, formatSpan } from '../../../../core/values/time.ts';

const columns: readonly Column[] = [
  { title: 'Began', path: 'began', kind: 'time', importance: 4, words: beganWords },
  { title: 'Status', path: 'status', kind: 'status', importance: 3 },
  {
    title: 'Duration (ms)',
    short: 'For',
    path: 'durationMs',
    kind: 'duration',
    importance: 3,
    words: spanWords,
  },
  { title: 'Who', path: 'user.name', importance: 2 },
  {
    title: 'Groups',
    path: 'user.groups',
    isOffScreen: true,
    read: (step) => cellText(valueAt(step, 'user.groups')),
  },
  { title: 'Reason', path: 'reason', importance: 1 },
];

/** For several work requests. */
const ownerColumns: readonly Column[] = [
  { title: 'Work request', path: 'workRequest', kind: 'id' },
  { title: 'Asset', path: 'asset', importance: 1, isOffScreen: true },
  { title: 'Language', short: 'Lang', path: 'language', importance: 2 },
];

/** The documented fields are those of an entry of `history`. */
async function fieldsOfEntry(): Promise<KnownFields> {
  const { isTime } = await knownFields('workRequest')();
  return { isTime: (path) => isTime(`history[0].${path}`), unknownColumn: (path) => ({ path }) };
}

export const command: Command = {
  isPaged: true,
  summary: 'Show the status history of work requests',
  details:
    'Shows when statuses began, and how long they lasted. As JSON, entries have began, ended, durationMs and isPresent besides their own fields. A workbook (-O week.xlsx) has the days by status on a second sheet.',
  arguments: [{ ...idsArgument, optional: true, completes: { idOf: 'WorkRequest' } }],
  options: [fromOption],
  examples: {
    'Show a history': 'mar wr history wr-2001',
    'Add up the hours it waited for materials':
      'mar wr history wr-2001 --jq-slurp \'map(select(.status == "awaiting-materials").durationMs) | (add // 0) / 3600000\'',
    'Save the histories of a list, with the days in each status':
      'mar wr history --from team.txt -O week.xlsx',
  },
  async *run(context, input) {
    const { session } = context;
    const ids = await distinctIds(context, input);
    if (ids.length === 0) {
      ids.push(await offerId(context, 'WorkRequest', missingArgument('id', 'wr history')));
    }
    const readings = await readWorkRequests(context, ids);
    const failures = readings.flatMap(({ error }) => error ?? []);
    const failure = failures.length > 0 ? MarError.together(failures) : undefined;
    if (failure && failures.length === readings.length) throw failure;
    const found = readings.flatMap(({ id, record }) => (record ? [{ id, record }] : []));
    const isOne = ids.length === 1 && input.options.from === undefined;
    const histories = found.map(({ id, record: { tree } }) => {
      const [asset, language] = [nameOf(tree, 'asset'), valueAt(tree, 'language')].map(cellText);
      const owner = isOne ? {} : { workRequest: id, asset, language };
      return { tree, owner, steps: timelineOf(tree, session.clock) };
    });
    const records = histories.flatMap(({ owner, steps }) =>
      steps.map((step) => stepRecord(step, owner)),
    );
    const spent = spentIn(histories.flatMap(({ steps }) => steps));
    const days = spent.map(([status, ms]): [string, number] => [status, ms / day]);
    yield listResult(
      [records],
      { columns: isOne ? columns : [...ownerColumns, ...columns], knownFields: fieldsOfEntry },
      { summary: spent.length > 0 ? [{ title: 'Status', unit: 'Days', rows: days }] : undefined },
    );
    if (isOne) {
      for (const { tree, steps } of histories) reportGaps(context, tree, steps);
    }
    const total = spent.reduce((sum, [, ms]) => sum + ms, 0);
    const each = spent.map(([status, ms]) => `${sanitise(status)} ${formatSpan(ms)}`);
    if (spent.length > 1) {
      context.reporter.reportAtEnd(`${formatSpan(total)} in total: ${each.join(', ')}`);
    }
    if (isOne) await remember(session, 'WorkRequest', found);
    if (failure) throw failure;
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
    return { entry, status, began, ended, durationMs, spentMs, isPresent };
  });
}

function stepRecord({ entry, isPresent, ...step }: TimelineStep, owner: object) {
  const { began = null, ended = null, durationMs = null } = step;
  return recordWith(entry, 'entry', { ...owner, began, ended, durationMs, isPresent });
}

/** The time in each status, the longest first. */
function spentIn(steps: readonly TimelineStep[]): [status: string, ms: number][] {
  const byStatus = new Map<string, number>();
  for (const { status, spentMs } of steps.filter((step) => step.spentMs > 0)) {
    byStatus.set(status, (byStatus.get(status) ?? 0) + spentMs);
  }
  return [...byStatus].sort(([, a], [, b]) => b - a);
}

function beganWords(step: unknown): string {
  const began = valueAt(step, 'began');
  return typeof began === 'string' ? formatDate(new Date(began)) : cellText(valueAt(step, 'date'));
}

/** `4 h`, `5 h so far`; `5 h ago` for a status that is final. */
function spanWords(step: unknown, clock: ServiceClock): string {
  const ms = cellText(valueAt(step, 'durationMs'));
  if (ms === '') return '';
  const span = Number(ms) < 1000 ? 'a moment' : formatSpan(Number(ms));
  if (valueAt(step, 'isPresent') !== true) return span;
  const { isSettled } = meaningOf(cellText(valueAt(step, 'status')), clock.service());
  return `${span} ${isSettled ? 'ago' : 'so far'}`;
}

/** The due date, and what is missing in a history. */
function reportGaps({ session, reporter }: Context, record: Json, steps: readonly TimelineStep[]) {
  const [id, status] = ['_id', 'status'].map((path) => cellText(valueAt(record, path)));
  const due = session.clock.date(deadlineOf(record, 'due'));
  const at = due && formatDate(due, valueAt(record, 'due.tz'));
  if (at) reporter.reportAtEnd(`Due ${at} (${timeLeft(record, session.clock)})`);
  if (steps.length === 0) reporter.reportAtEnd(`Work request ${id} has no history`);
  else if (steps.at(-1)?.isPresent === false) {
    reporter.reportAtEnd(`The status is now ${status}, but the history has no entry for it.`);
  }
}
